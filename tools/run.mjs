// npm run demo | start | bench: installs and builds what is missing, then runs a program of dist/.
import { join } from 'node:path';
import { ensure, runInForeground, top } from './ensure.mjs';

const PROGRAMS = {
  demo: [join(top, 'dist/cli/main.js'), 'demo'],
  start: [
    join(top, 'dist/cli/main.js'),
    'up',
    '--cluster',
    'live',
    '--timers',
    'fast',
    '--topic',
    'orders:3:3',
    '--port-base',
    '0',
  ],
  bench: [join(top, 'dist/bench/main.js')],
};

const [name, ...more] = process.argv.slice(2);
const program = PROGRAMS[name];
if (program === undefined) {
  process.stderr.write(`node tools/run.mjs ${Object.keys(PROGRAMS).join('|')}\n`);
  process.exit(2);
}
ensure();
await runInForeground([...program, ...more]);
