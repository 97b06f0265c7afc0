// npm test, npm run test:processes and test:containers: installs and builds what is missing, then runs vitest. With HIGHWATER_TEST_REPORT
// set to a folder, a JSON report is left there as well, so that CI can count over all runs.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensure, runInForeground, top } from './ensure.mjs';

const SETS = { all: ['core', 'processes'], processes: ['slow'], containers: ['containers'] };

const [name, ...more] = process.argv.slice(2);
const projects = SETS[name];
if (projects === undefined) {
  process.stderr.write(`node tools/test.mjs ${Object.keys(SETS).join('|')}\n`);
  process.exit(2);
}
ensure();
const folder = process.env['HIGHWATER_TEST_REPORT'];
const reports = [];
if (folder !== undefined && folder !== '') {
  mkdirSync(folder, { recursive: true });
  reports.push('--reporter=default', '--reporter=json', `--outputFile.json=${join(folder, `${name}.json`)}`);
}
process.chdir(top);
await runInForeground([
  join(top, 'node_modules/vitest/vitest.mjs'),
  'run',
  ...projects.flatMap((project) => ['--project', project]),
  ...reports,
  ...more,
]);
