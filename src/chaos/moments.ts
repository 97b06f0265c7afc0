// Moments as scenarios write them in `after`, `until`, `wait`, `pause` and `start`: what must have happened, and for how
// long. Text in, data out; what is watched for is in watch.ts.
import { parsePartition, type NodeId, type Offset, type TopicPartition } from '../base/units.ts';
import { durationMs, span, type Span } from './durations.ts';

/** A comparison of a number that rises and falls. */
export interface Bound {
  readonly op: '>=' | '=' | '<=' | '>' | '<';
  readonly value: number;
}

/** Something that holds or does not, now. */
export type Condition =
  /** Every ISR member's log end is at least `end`. */
  | { readonly kind: 'replicated'; readonly of: TopicPartition; readonly end: Offset }
  /** A replica's high watermark (`hw`) or log end (`end`); without a node: the leader's. */
  | {
      readonly kind: 'hw' | 'end';
      readonly of: TopicPartition;
      readonly node: NodeId | undefined;
      readonly bound: Bound;
    }
  | { readonly kind: 'leader'; readonly of: TopicPartition; readonly node: NodeId }
  /** The ISR is exactly these nodes, in whatever order. */
  | { readonly kind: 'isr'; readonly of: TopicPartition; readonly nodes: readonly NodeId[] }
  | { readonly kind: 'fenced'; readonly node: NodeId }
  /** The leader's last stable offset; `hw`: it is at the high watermark, and so is the log end. */
  | { readonly kind: 'lso'; readonly of: TopicPartition; readonly bound: Bound | 'hw' }
  /** The last state in force of a transactional id, at whichever coordinator serves it. */
  | { readonly kind: 'txn'; readonly transactionalId: string; readonly states: readonly string[] }
  /** A group is in this state, if given, with so many members. */
  | {
      readonly kind: 'group';
      readonly group: string;
      readonly state: string | undefined;
      readonly members: Bound | undefined;
    }
  /** A consumer was given a record with one of these values. */
  | { readonly kind: 'visible'; readonly client: string; readonly values: readonly string[] };

/** How an operation ended; `any`: it ended. */
export type Outcome = 'ok' | 'fail' | 'info' | 'any';
/** Steps of a transactional client that a moment may name, and what a member of a group does with its offsets. */
export type ClientStep = 'init' | 'begin' | 'send-offsets' | 'commit' | 'abort' | 'commit-offsets';

/** One thing that must happen. */
export type Part =
  | { readonly kind: 'fault'; readonly fault: string }
  /** A send of a value (any, if absent) ended this way. */
  | {
      readonly kind: 'sent';
      readonly client: string;
      readonly value: string | undefined;
      readonly outcome: Outcome;
    }
  /** A step of a transactional client (init, begin, commit, ...) ended this way. */
  | { readonly kind: 'step'; readonly client: string; readonly step: ClientStep; readonly outcome: Outcome }
  | { readonly kind: 'done'; readonly client: string }
  /** A poll that began after the parts before this one were met was given nothing. Also written idle(client). */
  | { readonly kind: 'polled-empty'; readonly client: string }
  | { readonly kind: 'condition'; readonly condition: Condition }
  | { readonly kind: 'time'; readonly span: Span };

/** Parts joined by "+": each is watched for once those before it are met. What stays true needs not happen again. */
export interface Moment {
  readonly text: string;
  readonly parts: readonly Part[];
}

export const MOMENT_FORMS =
  'Write a time (3s), a fault, client.done, client.send(value).ok, client.commit.ok, client.commit-offsets.ok, ' +
  'client.polled-empty, idle(client), ' +
  'replicated(t-p, n), hw(t-p, node) >= n, lso(t-p) = hw, leader(t-p) = node, isr(t-p) = [1, 2], fenced(node), ' +
  'txn(id) = Ongoing, group(id) = Stable, visible(client, value), or several joined by +';

/** Reads a moment; a string is the sentence that says what is wrong. Names are checked by the caller. */
export function parseMoment(text: string): Moment | string {
  const parts: Part[] = [];
  for (const piece of splitParts(text)) {
    const part = parsePart(piece);
    if (part === undefined) return `not a moment: "${piece}".  ${MOMENT_FORMS}.`;
    parts.push(part);
  }
  return { text, parts };
}

/** Splits at "+" outside brackets. */
function splitParts(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let current = '';
  for (const character of text) {
    if (character === '(' || character === '[') depth += 1;
    if (character === ')' || character === ']') depth -= 1;
    if (character === '+' && depth === 0) {
      parts.push(current.trim());
      current = '';
    } else current += character;
  }
  return [...parts, current.trim()];
}

function parsePart(text: string): Part | undefined {
  const length = span(text);
  if (length !== undefined) return { kind: 'time', span: length };
  const condition = parseCondition(text);
  if (condition !== undefined) return { kind: 'condition', condition };
  const idle = /^idle\(([\w-]+)\)$/.exec(text);
  if (idle !== null) return { kind: 'polled-empty', client: idle[1]! };
  const ofClient = /^([\w-]+)\.(done|polled-empty|send(?:\(([^)]*)\))?(?:\.(ok|fail|info))?)$/.exec(text);
  if (ofClient !== null) {
    const [, client, what, value, outcome] = ofClient as unknown as [string, string, string, string?, string?];
    if (what === 'done' || what === 'polled-empty') return { kind: what, client };
    return { kind: 'sent', client, value, outcome: (outcome ?? 'any') as Outcome };
  }
  const ofStep = /^([\w-]+)\.(init|begin|send-offsets|commit|abort|commit-offsets)(?:\.(ok|fail|info))?$/.exec(text);
  if (ofStep !== null) {
    const [, client, step, outcome = 'any'] = ofStep as unknown as [string, string, ClientStep, Outcome?];
    return { kind: 'step', client, step, outcome };
  }
  return /^[a-z][\w-]*$/i.test(text) ? { kind: 'fault', fault: text } : undefined;
}

const CALL = /^(replicated|hw|end|lso|leader|isr|fenced)\(([^()]*)\)\s*(?:(>=|<=|=|>|<)\s*(.+))?$/;

/** Reads a condition; undefined if it is none. */
export function parseCondition(text: string): Condition | undefined {
  const match = CALL.exec(text.trim());
  if (match === null) return parseNamed(text.trim());
  const [, name, inner, op, right] = match as unknown as [string, string, string, Bound['op']?, string?];
  const args = inner.split(',').map((arg) => arg.trim());
  if (name === 'fenced') {
    const node = wholeNumber(args[0]);
    return node === undefined || args.length > 1 || op !== undefined ? undefined : { kind: 'fenced', node };
  }
  const of = parsePartition(args[0] ?? '');
  if (of === undefined) return undefined;
  const first = wholeNumber(args[1]);
  const value = wholeNumber(right);
  switch (name) {
    case 'replicated':
      return first === undefined || op !== undefined ? undefined : { kind: 'replicated', of, end: first };
    case 'leader':
      return op !== '=' || value === undefined || args.length > 1 ? undefined : { kind: 'leader', of, node: value };
    case 'isr': {
      const nodes = nodeList(right);
      return op !== '=' || nodes === undefined || args.length > 1 ? undefined : { kind: 'isr', of, nodes };
    }
    case 'lso':
      if (op === '=' && right?.trim() === 'hw') return { kind: 'lso', of, bound: 'hw' };
      return op === undefined || value === undefined ? undefined : { kind: 'lso', of, bound: { op, value } };
    default:
      if (op === undefined || value === undefined || (args.length > 1 && first === undefined)) return undefined;
      return { kind: name as 'hw' | 'end', of, node: first, bound: { op, value } };
  }
}

const NAMED = /^(txn|group)\(([^()]*)\)\s*=\s*(.+)$/;
const MEMBERS = /^members\(([^()]*)\)\s*(>=|<=|=|>|<)\s*(\d+)$/;
const VISIBLE = /^visible\(([\w-]+),\s*([^()]+)\)$/;

/** Conditions on ids, groups and clients, which are no partitions. */
function parseNamed(text: string): Condition | undefined {
  const visible = VISIBLE.exec(text);
  if (visible !== null) {
    return { kind: 'visible', client: visible[1]!, values: visible[2]!.split('|').map((value) => value.trim()) };
  }
  const members = MEMBERS.exec(text);
  if (members !== null) {
    const [, group, op, count] = members as unknown as [string, string, Bound['op'], string];
    return { kind: 'group', group, state: undefined, members: { op, value: Number(count) } };
  }
  const named = NAMED.exec(text);
  if (named === null) return undefined;
  const [, kind, id, right] = named as unknown as [string, 'txn' | 'group', string, string];
  const states = right
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map((state) => state.trim());
  if (states.some((state) => !/^[A-Za-z]+$/.test(state))) return undefined;
  if (kind === 'txn') return { kind, transactionalId: id, states };
  return states.length > 1 ? undefined : { kind, group: id, state: states[0], members: undefined };
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text.trim()) ? Number(text) : undefined;
}

function nodeList(text: string | undefined): number[] | undefined {
  const match = /^\[([\d\s,]*)\]$/.exec(text?.trim() ?? '');
  if (match === null) return undefined;
  const nodes = match[1]!.split(',').filter((part) => part.trim() !== '');
  return nodes.map(Number).sort((a, b) => a - b);
}

/** Whether a text looks like a length of time gone wrong: digits and a unit, but not one we take. */
export function looksLikeDuration(text: string): boolean {
  return /^\d/.test(text.trim()) && durationMs(text) === undefined;
}
