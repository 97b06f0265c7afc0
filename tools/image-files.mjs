// Lays out the files of the container image in a folder: the built programs, the packages that they load by name (with what
// those need, natives of this platform alone), the scenarios, and `highwater` on the path. Run in the image's build stage.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { EXTERNAL } from './build.mjs';
import { top } from './ensure.mjs';

/** Names of packages and of all they need, as they lie in node_modules. */
function closure(names, found = new Set()) {
  for (const name of names) {
    const file = join(top, 'node_modules', name, 'package.json');
    if (found.has(name) || !existsSync(file)) continue;
    found.add(name);
    const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(readFileSync(file, 'utf8'));
    closure(Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }), found);
  }
  return found;
}

/** Natives of other platforms go. */
function dropOtherPlatforms(folder) {
  const prebuilds = join(folder, 'prebuilds');
  if (!existsSync(prebuilds)) return;
  const mine = `${process.platform}-${process.arch}`;
  for (const name of readdirSync(prebuilds)) if (name !== mine) rmSync(join(prebuilds, name), { recursive: true });
}

const image = process.argv[2];
if (image === undefined) throw new Error('node tools/image-files.mjs FOLDER');
const app = join(image, 'opt/highwater');
for (const folder of [app, join(image, 'bin'), join(image, 'home')]) mkdirSync(folder, { recursive: true });
for (const name of ['dist', 'scenarios', 'package.json']) cpSync(join(top, name), join(app, name), { recursive: true });
for (const name of closure(EXTERNAL)) {
  const folder = join(app, 'node_modules', name);
  // A package brings its sources for the compiler along; nothing is compiled here.
  const wanted = (path) =>
    !/\/(deps|src|test|binding\.cc|binding\.gyp)$|\.(map|md|d\.ts)$/.test(path) || /node_modules\/[^/]+$/.test(path);
  cpSync(join(top, 'node_modules', name), folder, { recursive: true, filter: wanted });
  dropOtherPlatforms(folder);
}
symlinkSync('/opt/highwater/dist/cli/main.js', join(image, 'bin/highwater'));
