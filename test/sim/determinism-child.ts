// Run by determinism.test.ts in another process, time zone and locale: prints the hashes of the seeds it is given.
import { busyHash } from './busy-world.ts';

console.log(
  process.argv
    .slice(2)
    .map((seed) => busyHash(Number(seed)))
    .join(),
);
