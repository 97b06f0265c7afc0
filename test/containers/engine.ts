// Whether containers can be run here.
import { spawnSync } from 'node:child_process';

export const IMAGE = process.env['HIGHWATER_IMAGE'] ?? 'highwater:latest';

const succeeds = (command: string, args: readonly string[]): boolean => spawnSync(command, args).status === 0;

export function missingImage(): string | undefined {
  if (!succeeds('docker', ['info'])) return 'no container engine answers (docker info)';
  if (!succeeds('docker', ['image', 'inspect', IMAGE])) return `image ${IMAGE} is missing: npm run image`;
  return undefined;
}
