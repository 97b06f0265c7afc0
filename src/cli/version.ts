// The version of this program, from its package.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dirname, join } from 'node:path';

/** Where the package lies: dist/cli/main.js is two folders below it. */
export function packageRoot(): string {
  return join(dirname(fileURLToPath(import.meta.url)), '../..');
}

export function version(): string {
  const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** A program of this package: "node", "agent" or "client". */
export function programPath(name: 'node' | 'agent' | 'client'): string {
  return join(packageRoot(), 'dist', name, 'main.js');
}
