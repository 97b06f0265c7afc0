// What a core may not touch (ARCHITECTURE.md): the outside. Time, randomness, network and storage come from its Runtime.
import { roomOf, importsOf } from './arrows.mjs';

const CORE_ROOMS = new Set([
  'base', 'protocol', 'metadata', 'trace', 'history', 'fault', 'log', 'node', 'coordinator', 'controller', 'client/core', 'checker', 'host',
]); // prettier-ignore

/** Packages a core may import: pure functions of their arguments. */
const PURE_PACKAGES = new Set(['@node-rs/crc32']);

const BANNED = [
  [/\basync\b/, 'async: a core changes state synchronously, between events'],
  [/\bawait\b/, 'await: a core changes state synchronously, between events'],
  [/\bPromise\b/, 'Promise: use a callback'],
  [/\bqueueMicrotask\b|\bnextTick\b/, 'a microtask: use clock.after'],
  [/\bset(?:Timeout|Interval|Immediate)\b/, 'a real timer: use clock.after'],
  [/\bDate\b(?!\w)/, 'Date: use clock.now or clock.wallTime'],
  [/\bperformance\b/, 'performance: use clock.now'],
  [
    /\bMath\.(?:random|exp\w*|log\w*|pow|sqrt|cbrt|sin\w*|cos\w*|tan\w*|a(?:sin|cos|tan)\w*|hypot)\b/,
    'Math.random or a transcendental: not the same everywhere',
  ],
  [/\bprocess\b\s*\./, "process: not a function of a core's inputs"],
  [/\bIntl\b|\.toLocale\w*\(|\.localeCompare\(/, 'a locale: results differ between machines'],
  [/\bWeakRef\b|\bFinalizationRegistry\b/, 'WeakRef: depends on the garbage collector'],
  [/\bcrypto\b\s*\./, 'crypto: use runtime.random'],
];

/** Blanks comments and strings, keeping lines, so that words in them do not count. */
export function codeOnly(text) {
  const blank = (match) => match.replace(/[^\n]/g, ' ');
  const pattern = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;
  return text.replace(pattern, (match) => (match.startsWith('`') ? keepInterpolations(match) : blank(match)));
}

function keepInterpolations(template) {
  return template.replace(/\$\{([^}]*)\}|[^\n]/g, (match, inner) => (inner === undefined ? ' ' : `  ${inner} `));
}

const MODULE_STATE = /^(?:export\s+)?let\s/;

/** Problems of one file if it is a core. */
export function checkCore(file, text) {
  const room = roomOf(file);
  if (room === undefined || !CORE_ROOMS.has(room) || file.includes('/generated/')) return [];
  const problems = [];
  for (const { specifier, line } of importsOf(text)) {
    if (specifier.startsWith('.') || PURE_PACKAGES.has(specifier)) continue;
    problems.push(`${file}:${line}: a core may not import ${specifier}`);
  }
  codeOnly(text)
    .split('\n')
    .forEach((code, index) => {
      for (const [pattern, why] of BANNED) {
        if (pattern.test(code)) problems.push(`${file}:${index + 1}: a core may not use ${why}`);
      }
      if (MODULE_STATE.test(code))
        problems.push(`${file}:${index + 1}: a core may not hold module-level mutable state`);
    });
  return problems;
}
