// What package.json promises before anything is built.
import { accessSync, constants, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const top = fileURLToPath(new URL('../../', import.meta.url));
const { bin, files } = JSON.parse(readFileSync(`${top}package.json`, 'utf8')) as {
  readonly bin: Readonly<Record<string, string>>;
  readonly files: readonly string[];
};

test('the command is there before a build, since npx links it once, and it is in the package', () => {
  for (const path of Object.values(bin)) {
    expect(path).not.toMatch(/^dist\//);
    accessSync(`${top}${path}`, constants.X_OK);
    expect(files).toContain(path.split('/')[0]);
  }
});
