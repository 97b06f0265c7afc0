#!/usr/bin/env node
// Starts the program that lies beside this file: NAME.cjs, from the code that V8 made of it when it was built. Copied to
// dist/ by build.mjs. Where that code is missing, or was made by another V8, the source is compiled as ever. V8 knows the source
// of some code by its length alone, and would start another program of that length: so the code has the name of its source.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

/** A hash of the source; build.mjs writes it here. */
const BUILT = 'none';

const self = fileURLToPath(import.meta.url);
const base = self.replace(/\.[^.]+$/, '');
const filename = `${base}.cjs`;

function codeOfThisPlatform() {
  try {
    return readFileSync(`${base}.${BUILT}.${process.platform}-${process.arch}.code`);
  } catch {
    return undefined;
  }
}

// A bundle is ASCII: as latin1 it takes a byte a character, and no time to decode.
const program = new Script(readFileSync(filename, 'latin1'), { filename, cachedData: codeOfThisPlatform() });
const run = program.runInThisContext();
run(createRequire(self), { exports: {} }, self, dirname(self), import.meta.url);
