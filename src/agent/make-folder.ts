// Makes folders, readable by their owner only. Node's own recursive mkdir never returns where a parent exists but takes no
// folders (such as /proc), so this one goes step by step.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes a folder and those above it that are missing. Throws the system's error, which names the path. */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let folder = path; !tryMake(folder); folder = dirname(folder)) missing.push(folder);
  for (const folder of missing.reverse()) mkdirSync(folder, { mode: 0o700 });
}

/** True if it is there now; false if the one above it is missing. */
function tryMake(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return true;
    if (code === 'ENOENT' && dirname(folder) !== folder) return false;
    throw error;
  }
}
