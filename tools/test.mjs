// npm test, npm run test:processes, test:containers and test:clients: installs and builds what is missing, then runs vitest. With
// HIGHWATER_TEST_REPORT set to a folder, a JSON report is left there as well, so that CI can count over all runs.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { installClients } from './clients.mjs';
import { ensure, runInForeground, top } from './ensure.mjs';

const SETS = {
  all: ['core', 'processes', 'clients-npm'],
  processes: ['slow'],
  containers: ['containers'],
  clients: ['clients-npm', 'clients-debian', 'clients-scenarios', 'clients-built', 'clients-java'],
  // What CI runs besides `all`: with a cluster a file, two files side by side.
  clusters: ['slow', 'containers', 'clients-debian', 'clients-scenarios'],
};
/** Foreign clients that a set of tests wants of the machine. */
const CLIENTS = { clients: ['debian', 'built', 'java'], clusters: ['debian'] };

const [name, ...more] = process.argv.slice(2);
// `npm test` serves the clients of npm by real cores in its own process; here they meet processes.
if (name === 'clients') process.env['HIGHWATER_SERVED_BY'] = 'processes';
if (name === 'clusters') process.env['HIGHWATER_TEST_FILES'] ??= '2';

const projects = SETS[name];
if (projects === undefined) {
  process.stderr.write(`node tools/test.mjs ${Object.keys(SETS).join('|')}\n`);
  process.exit(2);
}
ensure();
installClients(CLIENTS[name] ?? []);
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
