// The product as a package: its programs bundled from the source as `npm run build` does, laid out as installed. So process
// tests never meet an older build. One a run of tests (vitest's globalSetup): its files share it and change nothing in it.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildProgram } from '../../../tools/build.mjs';

export const projectRoot = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Where the package of this run lies, for all its processes. */
const BUILT = 'HIGHWATER_TEST_PACKAGE';

const SOURCES = {
  cli: 'src/cli/main.ts',
  agent: 'src/main/agent.ts',
  node: 'src/main/node.ts',
  client: 'src/main/client.ts',
} as const;

type ProgramName = keyof typeof SOURCES;

const programIn = (root: string, name: ProgramName): string => join(root, 'dist', name, 'main.js');

/** Path of a program of the package. */
export function builtProgram(name: ProgramName): string {
  return programIn(process.env[BUILT]!, name);
}

/** Bundles the programs next to the dependencies they need, once for all projects of the run. Answers how to remove them. */
export default async function buildPackage(): Promise<(() => void) | undefined> {
  if (process.env[BUILT] !== undefined) return undefined;
  const cache = join(projectRoot, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const root = mkdtempSync(join(cache, 'highwater-package-'));
  process.env[BUILT] = root;
  for (const part of ['package.json', 'scenarios'])
    cpSync(join(projectRoot, part), join(root, part), { recursive: true });
  await Promise.all(
    Object.entries(SOURCES).map(([name, source]) =>
      buildProgram(join(projectRoot, source), programIn(root, name as ProgramName)),
    ),
  );
  return () => rmSync(root, { recursive: true, force: true });
}
