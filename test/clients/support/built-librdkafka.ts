// A newer librdkafka for Debian's programs, which load it instead of their own: built once from the C sources that an npm
// package carries, kept below node_modules/.cache, by version. The set-up of the project `clients-built` (vitest.config.ts); its
// tests are skipped where the programs do not load it (run-client.ts).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const BUILT_VERSION = '2.15.1';
const PACKAGE = '@confluentinc/kafka-javascript@1.10.1';
const SHA512 = 'KVePUBn21EqCVP9mfxzEuM3SYJHHEF7X+iiC2e43QQgDSyEaksInmCGooT3w5q+cNAdkSCrK71j0ICfqoSqZLw==';
const LIBRARY = 'librdkafka.so.1';
const BUILD_MAX_MS = 600_000;
/** Every codec, and nothing that no test needs. */
const CONFIGURE = [
  '--disable-ssl',
  '--disable-sasl',
  '--disable-gssapi',
  '--disable-curl',
  '--enable-zlib',
  '--enable-zstd',
];

/** Where the library is, or will be. */
export const BUILT_DIR = fileURLToPath(
  new URL(`../../../node_modules/.cache/highwater-librdkafka-${BUILT_VERSION}`, import.meta.url),
);

/** Builds it unless it is there. What keeps it from being built is told, and is no failure. */
export default function setup(): void {
  if (existsSync(join(BUILT_DIR, LIBRARY))) return;
  mkdirSync(dirname(BUILT_DIR), { recursive: true });
  const work = mkdtempSync(`${BUILT_DIR}-`);
  try {
    process.stderr.write(`building librdkafka ${BUILT_VERSION}…\n`);
    build(work);
  } catch (error) {
    const reason = (error as Error).message;
    process.stderr.write(`skipped: tests with librdkafka ${BUILT_VERSION}, which cannot be built: ${reason}\n`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function build(work: string): void {
  const must = (command: string, args: readonly string[], cwd = work): void => {
    const { status, stderr, error } = spawnSync(command, args, {
      ...{ cwd, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], timeout: BUILD_MAX_MS, maxBuffer: 1 << 28 },
    });
    if (status !== 0) throw new Error(`${command} ${args[0]}: ${error?.message ?? stderr.slice(-500)}`);
  };
  must('npm', ['pack', '--silent', '--pack-destination', work, PACKAGE], dirname(BUILT_DIR));
  const tarball = readdirSync(work).find((name) => name.endsWith('.tgz'))!;
  const sha512 = createHash('sha512').update(readFileSync(join(work, tarball)));
  if (sha512.digest('base64') !== SHA512) throw new Error(`${PACKAGE} is not the package that was pinned`);
  must('tar', ['xzf', tarball]);
  const sources = join(work, 'package/deps/librdkafka');
  must('./configure', CONFIGURE, sources);
  must('make', ['-C', 'src', `-j${availableParallelism()}`, LIBRARY], sources);
  const finished = join(work, 'finished');
  mkdirSync(finished);
  renameSync(join(sources, 'src', LIBRARY), join(finished, LIBRARY));
  renameSync(finished, BUILT_DIR);
}
