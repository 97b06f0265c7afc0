// The lines of `highwater clients`, run by a shell as they are printed: each against a topic of its own, which it creates.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientLines } from '../../../src/cli/client-lines.ts';
import { PYTHON, type Ran } from '../run-client.ts';

const LINE_MAX_MS = 60_000;
/** Where npm's packages are found. */
const REPOSITORY = new URL('../../..', import.meta.url);

export interface Pasting {
  readonly bootstrap: string;
  readonly topic: string;
  /** Programs that are called by these names, as scripts for sh. */
  readonly programs?: Readonly<Record<string, string>>;
}

/** Pastes the line of a client. */
export async function paste(client: string, { bootstrap, topic, programs = {} }: Pasting): Promise<Ran> {
  const { line } = clientLines({ bootstrap, topic, cluster: 'default' }).find((each) => each.client === client)!;
  const folder = mkdtempSync(join(tmpdir(), 'pasted-'));
  symlinkSync(PYTHON, join(folder, 'python3'));
  for (const [name, script] of Object.entries(programs))
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  try {
    return await shell(line, `${folder}:${process.env['PATH']}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function shell(line: string, path: string): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const how = {
      cwd: REPOSITORY,
      env: { ...process.env, PATH: path },
      timeout: LINE_MAX_MS,
      killSignal: 'SIGKILL',
    } as const;
    const child = spawn('sh', ['-c', line], { ...how, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, ...output }));
  });
}
