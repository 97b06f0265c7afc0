// The project's own checks, on small planted violations and on innocent look-alikes.
import { expect, test } from 'vitest';
import { checkArrows } from '../../tools/check/arrows.mjs';
import { checkCore } from '../../tools/check/cores.mjs';
import { checkRules, definedRules } from '../../tools/check/rules.mjs';
import { checkTidy } from '../../tools/check/tidy.mjs';

test('an arrow that runs down is fine, one that runs up or sideways is not', () => {
  expect(checkArrows('src/node/broker.ts', `import { x } from '../log/api.ts';`)).toEqual([]);
  expect(checkArrows('src/log/api.ts', `import { x } from '../node/broker.ts';`)).toHaveLength(1);
  expect(checkArrows('src/controller/a.ts', `import type { x } from '../node/broker.ts';`)).toHaveLength(1);
  expect(checkArrows('src/checker/a.ts', `import { x } from '../sim/world.ts';`)).toHaveLength(1);
  expect(checkArrows('src/nowhere/a.ts', ``)[0]).toContain('in no room');
});

test('multi-line and dynamic imports count', () => {
  expect(checkArrows('src/log/a.ts', `import {\n  x,\n  y,\n} from '../sim/world.ts';`)).toHaveLength(1);
  expect(checkArrows('src/log/a.ts', `const m = import('../sim/world.ts');`)).toHaveLength(1);
});

test('a core that touches the outside is named with its line', () => {
  expect(checkCore('src/node/a.ts', `const a = 1;\nconst t = Date.now();`)).toEqual([
    expect.stringContaining('src/node/a.ts:2'),
  ]);
  expect(checkCore('src/log/a.ts', `import { readFileSync } from 'node:fs';`)).toHaveLength(1);
  expect(checkCore('src/controller/a.ts', `let count = 0;`)).toHaveLength(1);
  expect(checkCore('src/node/a.ts', 'const s = `${Date.now()}`;')).toHaveLength(1);
});

test('words in comments and strings, and shells, may speak of it', () => {
  expect(checkCore('src/node/a.ts', `// Date and await are banned here.\nconst s = 'setTimeout';`)).toEqual([]);
  expect(checkCore('src/rpc/a.ts', `await new Promise((r) => setTimeout(r, 1));`)).toEqual([]);
});

test('a cited rule must exist in the specification its word names', () => {
  const rules = definedRules(new URL('../..', import.meta.url).pathname);
  expect(checkRules('a.ts', '// repl R-45, R-117 and T-28; txn T-98; wire W-16, G-1', rules)).toEqual([]);
  expect(checkRules('a.ts', ['// repl', 'R-9999'].join(' '), rules)).toHaveLength(1);
  expect(checkRules('a.ts', ['// wire', 'R-1'].join(' '), rules)).toHaveLength(1);
});

test('left-over marks and focused tests are found', () => {
  expect(checkTidy('src/node/a.ts', `// What it is.\n// ${'TO' + 'DO'} later`)).toHaveLength(1);
  expect(checkTidy('test/a.test.ts', `// What it is.\n${'test'}.only('x', () => 1);`)).toHaveLength(1);
  expect(checkTidy('src/node/a.ts', `const a = 1;`)).toEqual([expect.stringContaining('begin by saying')]);
});
