// Makes a fresh clone ready: installs the locked packages and builds dist/ if either is missing or older than its source.
// Uses nothing but Node, since nothing else may be there yet.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const top = join(dirname(fileURLToPath(import.meta.url)), '..');
const STAMP = 'dist/.built';

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Runs a command of the project in the foreground; ends this process if it fails. */
function must(title, command, args) {
  process.stderr.write(`${title}…\n`);
  const result = spawnSync(command, args, { cwd: top, stdio: ['ignore', 'ignore', 'inherit'] });
  if (result.status !== 0) fail(`${title} failed: ${command} ${args.join(' ')}`);
}

const modified = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);

/** The newest change below the given folders and files. */
function newest(paths) {
  let latest = 0;
  for (const path of paths) {
    const full = join(top, path);
    if (!existsSync(full)) continue;
    if (!statSync(full).isDirectory()) latest = Math.max(latest, modified(full));
    else
      for (const name of readdirSync(full, { recursive: true }))
        latest = Math.max(latest, modified(join(full, String(name))));
  }
  return latest;
}

/** Installs and builds what is missing. */
export function ensure() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 11))
    fail(`Highwater needs Node 20.11 or newer; this is ${process.versions.node}`);
  const installed = modified(join(top, 'node_modules/.package-lock.json'));
  if (installed === 0 || installed < modified(join(top, 'package-lock.json')) - 1000) {
    must('installing packages', process.platform === 'win32' ? 'npm.cmd' : 'npm', [
      'ci',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ]);
  }
  if (modified(join(top, STAMP)) < newest(['src', 'bench', 'tools/build.mjs', 'tools/program.mjs', 'package.json'])) {
    must('building', process.execPath, ['tools/build.mjs']);
    mkdirSync(join(top, 'dist'), { recursive: true });
    writeFileSync(join(top, STAMP), '');
  }
}

/** Runs a program of the project in the foreground and ends this process with its exit code. Signals reach it too. */
export async function runInForeground(args) {
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, args, { cwd: process.cwd(), stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}
