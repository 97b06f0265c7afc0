// Names that a scenario declares, and moments read with them: a name that refers to nothing is told at once, not when the
// moment is waited for.
import { nearest } from '../fault/legality.ts';
import { isInternalTopic } from '../protocol/topic-name.ts';
import { DURATION_FORMS, durationMs, span, type Span } from './durations.ts';
import { looksLikeDuration, parseMoment, type Condition, type Moment, type Part } from './moments.ts';
import type { TopicPlan } from './plan.ts';
import { Misfit, type Path } from './scenario-error.ts';

export interface Names {
  readonly clients: ReadonlySet<string>;
  readonly faults: ReadonlySet<string>;
  readonly topics: ReadonlyMap<string, TopicPlan>;
}

/** Reads a moment. Throws Misfit. */
export function momentAt(text: string, names: Names, path: Path): Moment {
  if (looksLikeDuration(text)) throw new Misfit('HW2410', path, `not a duration: "${text}".  ${DURATION_FORMS}.`);
  const moment = parseMoment(text);
  if (typeof moment === 'string') throw new Misfit('HW2410', path, moment);
  for (const part of moment.parts) checkPart(part, names, path);
  return moment;
}

/** Reads a duration or range. Throws Misfit. */
export function spanAt(text: string, path: Path): Span {
  const found = span(text);
  if (found === undefined) throw new Misfit('HW2410', path, `not a duration: "${text}".  ${DURATION_FORMS}.`);
  return found;
}

/** Reads a duration. Throws Misfit. */
export function durationAt(text: string, path: Path): number {
  const ms = durationMs(text);
  if (ms === undefined) throw new Misfit('HW2410', path, `not a duration: "${text}".  ${DURATION_FORMS}.`);
  return ms;
}

function checkPart(part: Part, names: Names, path: Path): void {
  switch (part.kind) {
    case 'fault':
      checkName('fault', part.fault, names.faults, path);
      return;
    case 'sent':
    case 'step':
    case 'done':
    case 'polled-empty':
      checkName('client', part.client, names.clients, path);
      return;
    case 'condition':
      checkCondition(part.condition, names, path);
      return;
    case 'time':
  }
}

/** Throws Misfit unless what a condition names is declared. Ids and groups come into being by being used. */
export function checkCondition(condition: Condition, names: Names, path: Path): void {
  if ('of' in condition) checkPartition(condition.of, names, path);
  if (condition.kind === 'visible') checkName('client', condition.client, names.clients, path);
}

/** Throws Misfit unless the topic has this partition. Topics of the cluster itself come into being by being used. */
export function checkPartition(
  of: { readonly topic: string; readonly partition: number },
  names: Names,
  path: Path,
): void {
  const topic = names.topics.get(of.topic);
  if (topic === undefined && isInternalTopic(of.topic)) return;
  if (topic === undefined) checkName('topic', of.topic, new Set(names.topics.keys()), path);
  else if (of.partition >= topic.assignments.length) {
    throw new Misfit('HW2413', path, `topic ${of.topic} has partitions 0 to ${topic.assignments.length - 1}`);
  }
}

/** Throws Misfit unless the name is declared. */
export function checkName(what: string, name: string, known: ReadonlySet<string>, path: Path): void {
  if (known.has(name)) return;
  const hint = known.size === 0 ? `There is no ${what} here` : `Did you mean ${nearest(name, [...known])}?`;
  throw new Misfit('HW2413', path, `no ${what} "${name}". ${hint}`);
}
