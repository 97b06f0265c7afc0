// `npm run build`: bundles each program into one file under dist/, which starts in half the time of a tree of modules.
// Natives and what is loaded lazily stay outside, as dependencies of the package. `--dev` skips programs not written yet.
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
  const wanted = words.filter((word) => !word.startsWith('-'));
  for (const [name, source] of Object.entries(PROGRAMS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    if (!existsSync(join(top, source))) {
      if (!dev) throw new Error(`${source} is missing: the package would lack ${name}`);
      console.log(`skipped ${name}: ${source} is not there`);
      continue;
    }
    const outfile = join(dist, name, 'main.js');
    rmSync(dirname(outfile), { recursive: true, force: true });
    await build(bundleOptions(join(top, source), outfile));
    chmodSync(outfile, 0o755);
    console.log(`dist/${name}/main.js ${Math.round(statSync(outfile).size / 1024)} KiB`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAll(process.argv.slice(2));
