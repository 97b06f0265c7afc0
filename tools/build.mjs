// `npm run build`: bundles each program into one file under dist/, which starts in half the time of a tree of modules, and
// compiles it, which halves that again. Natives and what is loaded lazily stay outside, as dependencies of the package.
// `--dev` skips programs not written yet, `--types` writes the types of what can be imported too, as the published package has
// them: that goes to other versions of V8, so nothing is compiled for it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
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

const BUNDLED = {
  ...{ bundle: true, platform: 'node', target: 'node20', legalComments: 'none', logLevel: 'warning' },
  // Makes one literal of those that are written in groups (`{ ...{ a, b }, c }`): left alone, each group costs V8 a copy, and
  // each property behind it up to a microsecond.
  minifySyntax: true,
};

/** How what can be imported is bundled. */
function libraryOptions(source, outfile, peers) {
  const external = [...EXTERNAL, ...peers];
  return { ...BUNDLED, entryPoints: [source], outfile, format: 'esm', external, banner: { js: BANNER } };
}

/** LevelDB's JavaScript is thirty small modules, which cost more to find than to run: only its native part stays outside. */
const levelInside = {
  name: 'level',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^level$/ }, ({ kind }) => (kind === 'require-resolve' ? { external: true } : undefined));
    onLoad({ filter: /[/\\]classic-level[/\\]binding\.js$/ }, () => ({
      // It may lie below `level`, and it finds its native by where it lies.
      contents:
        "module.exports = require('node:module').createRequire(require.resolve('level'))('classic-level/binding.js');",
    }));
  },
};

/** How every program is bundled: as one function, which its starter calls (program.mjs). */
function programOptions(source, outfile) {
  return {
    ...BUNDLED,
    ...{ entryPoints: [source], outfile, format: 'cjs', plugins: [levelInside] },
    external: EXTERNAL.filter((name) => !name.endsWith('level')),
    // Strict, as a module is.
    banner: { js: '(function (require, module, __filename, __dirname, __moduleUrl) { "use strict";' },
    footer: { js: '})' },
    define: { 'import.meta.url': '__moduleUrl' },
    // A script that is compiled beforehand cannot import: what is loaded lazily is CommonJS, and required.
    supported: { 'dynamic-import': false },
  };
}

/**
 * Bundles a program: `outfile` starts it. Also for programs that tests start.
 * @param compiled Whether its code is kept beside it, for the V8 and the platform that run this.
 */
export async function buildProgram(source, outfile, compiled = true) {
  const bundle = outfile.replace(/\.[^.]+$/, '.cjs');
  await build(programOptions(source, bundle));
  const built = createHash('sha256').update(readFileSync(bundle)).digest('hex').slice(0, 16);
  const starter = readFileSync(join(top, 'tools/program.mjs'), 'utf8');
  writeFileSync(outfile, starter.replace("BUILT = 'none'", `BUILT = '${built}'`));
  chmodSync(outfile, 0o755);
  if (compiled) compile(bundle, built);
}

/** Keeps the code of all functions: V8 by itself makes that of a function when it is first called, in every process again. */
function compile(bundle, built) {
  setFlagsFromString('--no-lazy');
  const script = new Script(readFileSync(bundle, 'latin1'), { filename: bundle });
  setFlagsFromString('--lazy'); // Code is taken only under the flags that it was kept under.
  const kept = bundle.replace(/cjs$/, `${built}.${process.platform}-${process.arch}.code`);
  // Whole or not there, also after a power loss: V8 dies of code of the right length that is not what it wrote.
  writeFileSync(`${kept}.new`, script.createCachedData(), { flush: true });
  renameSync(`${kept}.new`, kept);
}

async function buildAll(words) {
  const named = words.filter((word) => !word.startsWith('-'));
  const wanted = (name) => named.length === 0 || named.includes(name);
  for (const [name, source] of Object.entries(PROGRAMS)) if (wanted(name)) await program(name, source, words);
  for (const [name, { source, peers }] of Object.entries(LIBRARIES))
    if (wanted(name)) await buildLibrary(name, source, peers);
  if (words.includes('--types')) writeTypes();
}

async function program(name, source, words) {
  if (!existsSync(join(top, source))) {
    if (!words.includes('--dev')) throw new Error(`${source} is missing: the package would lack ${name}`);
    return console.log(`skipped ${name}: ${source} is not there`);
  }
  const outfile = emptied(name);
  await buildProgram(join(top, source), outfile, !words.includes('--types'));
  told(name, outfile.replace(/js$/, 'cjs'));
}

async function buildLibrary(name, source, peers) {
  const outfile = emptied(name);
  await build(libraryOptions(join(top, source), outfile, peers));
  told(name, outfile);
}

/** The file of a program or library, in a folder that holds nothing else. */
function emptied(name) {
  const outfile = join(dist, name, 'main.js');
  rmSync(dirname(outfile), { recursive: true, force: true });
  return outfile;
}

function told(name, outfile) {
  console.log(`${relative(top, outfile)} ${Math.round(statSync(outfile).size / 1024)} KiB`);
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
