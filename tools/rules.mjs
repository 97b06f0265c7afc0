// `npm run mutants` says that tests notice broken rules; `node tools/rules.mjs [--write]` says which rules there are: docs/rules.md,
// every rule of docs/spec with where it is implemented, which tests cite it, and which mutants prove them. Without --write it
// only says whether the page is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rulesPage } from './rules/page.mjs';

const top = join(import.meta.dirname, '..');
const path = join(top, 'docs/rules.md');
const page = rulesPage(top);

if (process.argv.includes('--write')) writeFileSync(path, page);
else if (readFileSync(path, 'utf8') !== page) {
  console.log('docs/rules.md is out of date: node tools/rules.mjs --write');
  process.exit(1);
}
