// The rooms and who may import whom (ARCHITECTURE.md). An arrow that runs up, or sideways between rooms that share
// messages but not memory, fails the check.
import { dirname, join, normalize } from 'node:path';

/** What each room may import, besides itself. Rooms not named here do not exist. */
const BASE = ['base'];
const PROTOCOL = [...BASE, 'protocol'];
const PORTS = [...PROTOCOL, 'metadata', 'trace', 'history', 'fault', 'runtime'];
const CORES = [...PORTS, 'log'];
const HOST = [...CORES, 'node', 'coordinator', 'controller', 'client/core'];
const SHELL = [...HOST, 'host'];
const TOP = [
  ...SHELL,
  'runtime/real',
  'rpc',
  'kafka',
  'client',
  'workload',
  'sim',
  'checker',
  'chaos',
  'agent',
  'cli',
  'dashboard',
];

export const ROOMS = {
  base: [],
  protocol: BASE,
  metadata: PROTOCOL,
  trace: PROTOCOL,
  history: PROTOCOL,
  fault: [...PROTOCOL, 'trace', 'history', 'runtime'],
  runtime: [...PROTOCOL, 'trace', 'history', 'fault'],
  log: PORTS,
  node: CORES,
  coordinator: CORES,
  controller: CORES,
  'client/core': CORES,
  host: HOST,
  'runtime/real': SHELL,
  rpc: [...SHELL, 'runtime/real'],
  kafka: SHELL,
  client: [...SHELL, 'rpc', 'runtime/real'],
  workload: [...SHELL, 'client'],
  sim: [...SHELL, 'client', 'workload'],
  checker: [...PROTOCOL, 'history'],
  chaos: [...SHELL, 'client', 'workload', 'sim', 'checker', 'rpc', 'runtime/real', 'agent'],
  agent: [...SHELL, 'rpc', 'runtime/real'],
  cli: TOP,
  dashboard: TOP,
  testcontainers: TOP,
  main: TOP,
  test: TOP,
};

/** The room of a file under src/, by its longest folder name that is a room. */
export function roomOf(file) {
  const parts = dirname(file).split('/').slice(1);
  for (let length = parts.length; length > 0; length--) {
    const name = parts.slice(0, length).join('/');
    if (name in ROOMS) return name;
  }
  return undefined;
}

/** Specifiers that a source file imports or re-exports, with their line. */
export function importsOf(text) {
  const found = [];
  const statement = /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]/;
  const forEffect = /(?:^|\n)\s*import\s*['"]([^'"]+)['"]/;
  const dynamic = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/;
  const pattern = new RegExp([statement, forEffect, dynamic].map(({ source }) => source).join('|'), 'g');
  for (const match of text.matchAll(pattern)) {
    const line = text.slice(0, match.index + match[0].length).split('\n').length;
    found.push({ specifier: match[1] ?? match[2] ?? match[3], line });
  }
  return found;
}

/** Problems of one file: `file` is relative to the project, e.g. "src/node/broker.ts". */
export function checkArrows(file, text) {
  const room = roomOf(file);
  if (room === undefined) return [`${file}: is in no room; see ROOMS in tools/check/arrows.mjs`];
  const problems = [];
  for (const { specifier, line } of importsOf(text)) {
    if (!specifier.startsWith('.')) continue;
    const target = normalize(join(dirname(file), specifier));
    const other = roomOf(target);
    if (other === room) continue;
    if (other === undefined) problems.push(`${file}:${line}: imports ${target}, which is in no room`);
    else if (!ROOMS[room].includes(other)) {
      problems.push(
        `${file}:${line}: ${room} may not import ${other} (${specifier}). Arrows run downwards only: ARCHITECTURE.md`,
      );
    }
  }
  return problems;
}
