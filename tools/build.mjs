// `npm run build`: bundles each program into one file under dist/, which starts in half the time of a tree of modules.
// Natives and what is loaded lazily stay outside, as dependencies of the package. `--dev` skips programs not written yet,
// `--types` writes the types of what can be imported too, as the published package has them.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const top = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(top, 'dist');

/** Programs by their name in dist/: the source each starts from. */
const PROGRAMS = {
  cli: 'src/cli/main.ts',
  node: 'src/main/node.ts',
  agent: 'src/main/agent.ts',
  container: 'src/main/container.ts',
  client: 'src/main/client.ts',
  bench: 'bench/main.ts',
};

/** What can be imported, by its name in dist/, and what its users must have themselves. */
const LIBRARIES = { testcontainers: { source: 'src/testcontainers/index.ts', peers: ['testcontainers'] } };

/** Natives cannot be bundled; the others read files of their own and are loaded when first used. */
export const EXTERNAL = [
  'level',
  'classic-level',
  '@node-rs/crc32',
  '@grpc/reflection',
  'grpc-health-check',
  '@grpc/proto-loader',
];

/** Bundled CommonJS asks for these. */
const BANNER = [
  "import { createRequire as __createRequire } from 'node:module';",
  "import { dirname as __directoryOf } from 'node:path';",
  "import { fileURLToPath as __pathOf } from 'node:url';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = __pathOf(import.meta.url);',
  'const __dirname = __directoryOf(__filename);',
].join('\n');

/** How every program is bundled. Also for programs that tests start. */
export function bundleOptions(source, outfile) {
  return {
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    external: EXTERNAL,
    banner: { js: `#!/usr/bin/env node\n${BANNER}` },
    legalComments: 'none',
    logLevel: 'warning',
  };
}

async function buildAll(words) {
  const dev = words.includes('--dev');
  const named = words.filter((word) => !word.startsWith('-'));
  const wanted = (name) => named.length === 0 || named.includes(name);
  for (const [name, source] of Object.entries(PROGRAMS)) if (wanted(name)) await buildProgram(name, source, dev);
  for (const [name, { source, peers }] of Object.entries(LIBRARIES))
    if (wanted(name)) await buildLibrary(name, source, peers);
  if (words.includes('--types')) writeTypes();
}

async function buildProgram(name, source, dev) {
  if (!existsSync(join(top, source))) {
    if (!dev) throw new Error(`${source} is missing: the package would lack ${name}`);
    return console.log(`skipped ${name}: ${source} is not there`);
  }
  const outfile = emptied(name);
  await build(bundleOptions(join(top, source), outfile));
  chmodSync(outfile, 0o755);
  told(name, outfile);
}

async function buildLibrary(name, source, peers) {
  const outfile = emptied(name);
  const options = bundleOptions(join(top, source), outfile);
  await build({ ...options, external: [...options.external, ...peers] });
  told(name, outfile);
}

/** The file of a program or library, in a folder that holds nothing else. */
function emptied(name) {
  const outfile = join(dist, name, 'main.js');
  rmSync(dirname(outfile), { recursive: true, force: true });
  return outfile;
}

function told(name, outfile) {
  console.log(`dist/${name}/main.js ${Math.round(statSync(outfile).size / 1024)} KiB`);
}

function writeTypes() {
  rmSync(join(dist, 'types'), { recursive: true, force: true });
  const compiler = join(top, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tools/tsconfig.types.json'], {
    cwd: top,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the types of the package could not be written');
  console.log('dist/types');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAll(process.argv.slice(2));
