#!/usr/bin/env node
// The `highwater` command, which is the built program. A clone that nobody has installed or built yet does so first. This
// file is always there, since npx links a command once: were it missing then, `npx highwater` would stay unknown for ever.
import { existsSync } from 'node:fs';

const program = new URL('../dist/cli/main.js', import.meta.url);
if (!existsSync(program)) (await import('../tools/ensure.mjs')).ensure();
await import(program.href);
