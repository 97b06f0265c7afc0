// Whether containers can be run here: an engine answers and the image that `npm run image` builds is there. CI makes both while
// other tests run, in a folder of its own (.ci/containers): files of tests in containers wait for that.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// The tests remove what they start, and the helper that would do it for them is an image from elsewhere.
process.env['TESTCONTAINERS_RYUK_DISABLED'] ??= 'true';

export const IMAGE = process.env['HIGHWATER_IMAGE'] ?? 'highwater:latest';

export const succeeds = (command: string, args: readonly string[]): boolean => spawnSync(command, args).status === 0;

/** Where CI makes an engine; undefined elsewhere. */
const MADE = process.env['HIGHWATER_TEST_ENGINE'];

/** Each of its steps is bounded: so is this. */
async function untilMade(folder: string): Promise<void> {
  while (!existsSync(join(folder, 'ready'))) await new Promise((resolve) => setTimeout(resolve, 100));
  const address = /DOCKER_HOST=(\S+)/.exec(read(join(folder, 'env')))?.[1];
  if (address !== undefined) process.env['DOCKER_HOST'] = address;
}

const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8').trim() : '');

if (MADE !== undefined) await untilMade(MADE);

/** Why no container can be run here; undefined if some can. */
export function missingEngine(): string | undefined {
  const why = MADE === undefined ? '' : read(join(MADE, 'why'));
  if (why !== '') return why;
  if (!succeeds('docker', ['info'])) return 'no container engine answers (docker info)';
  if (!succeeds('docker', ['image', 'inspect', IMAGE])) return `image ${IMAGE} is missing: npm run image`;
  return undefined;
}

/** Says on stderr why the tests of a file are skipped. Answers whether they are. */
export function skipped(why: string | undefined): boolean {
  if (why !== undefined) process.stderr.write(`tests in containers are skipped: ${why}\n`);
  return why !== undefined;
}
