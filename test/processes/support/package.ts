// The product as a package: its programs bundled from the source as `npm run build` does, laid out as installed. So process
// tests never meet an older build. One a test file.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildProgram } from '../../../tools/build.mjs';

export const projectRoot = join(dirname(fileURLToPath(import.meta.url)), '../../..');

export interface BuiltPackage {
  /** Path of a program. */
  program(name: keyof typeof SOURCES): string;
  remove(): void;
}

const SOURCES = {
  cli: 'src/cli/main.ts',
  agent: 'src/main/agent.ts',
  node: 'src/main/node.ts',
  client: 'src/main/client.ts',
} as const;

/** Bundles the programs next to the dependencies they need. */
export async function buildPackage(): Promise<BuiltPackage> {
  const cache = join(projectRoot, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const root = mkdtempSync(join(cache, 'highwater-package-'));
  for (const part of ['package.json', 'scenarios'])
    cpSync(join(projectRoot, part), join(root, part), { recursive: true });
  const program = (name: keyof typeof SOURCES): string => join(root, 'dist', name, 'main.js');
  await Promise.all(
    Object.entries(SOURCES).map(([name, source]) =>
      buildProgram(join(projectRoot, source), program(name as keyof typeof SOURCES)),
    ),
  );
  return { program, remove: () => rmSync(root, { recursive: true, force: true }) };
}
