// Whether containers can be run here: an engine answers and the image that `npm run image` builds is there.
import { spawnSync } from 'node:child_process';

// The tests remove what they start, and the helper that would do it for them is an image from elsewhere.
process.env['TESTCONTAINERS_RYUK_DISABLED'] ??= 'true';

export const IMAGE = process.env['HIGHWATER_IMAGE'] ?? 'highwater:latest';

export const succeeds = (command: string, args: readonly string[]): boolean => spawnSync(command, args).status === 0;

/** Why no container can be run here; undefined if some can. */
export function missingEngine(): string | undefined {
  if (!succeeds('docker', ['info'])) return 'no container engine answers (docker info)';
  if (!succeeds('docker', ['image', 'inspect', IMAGE])) return `image ${IMAGE} is missing: npm run image`;
  return undefined;
}

/** Says on stderr why the tests of a file are skipped. Answers whether they are. */
export function skipped(why: string | undefined): boolean {
  if (why !== undefined) process.stderr.write(`tests in containers are skipped: ${why}\n`);
  return why !== undefined;
}
