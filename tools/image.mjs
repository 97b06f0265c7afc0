// npm run image: builds the container image, and draws the secret that the compose file hands to its containers if there is
// none yet. `--base IMAGE` or HIGHWATER_BASE_IMAGE chooses the base; further words go to `docker build`.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { top } from './ensure.mjs';

/** The folder lets nobody else in; the file is readable, since the user in the container is another one. */
function drawSecret(file) {
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, randomBytes(24).toString('base64url') + '\n', { mode: 0o444 });
  process.stderr.write(`drew a secret for the cluster: ${file}\n`);
}

function readWords(words) {
  const at = words.indexOf('--base');
  if (at < 0) return { base: process.env['HIGHWATER_BASE_IMAGE'] ?? '', more: words };
  return { base: words[at + 1] ?? '', more: [...words.slice(0, at), ...words.slice(at + 2)] };
}

const { base, more } = readWords(process.argv.slice(2));
const { version } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
const args = ['build', '--file', 'deploy/Dockerfile', '--build-arg', `VERSION=${version}`];
if (base !== '') args.push('--build-arg', `BASE_IMAGE=${base}`);
args.push('--tag', `highwater:${version}`, '--tag', 'highwater:latest', ...more, '.');
drawSecret(join(top, 'deploy/secret/highwater'));
const { status, error } = spawnSync('docker', args, { cwd: top, stdio: 'inherit' });
if (error !== undefined) process.stderr.write(`docker cannot be run: ${error.message}. Install a container engine\n`);
process.exit(status ?? 1);
