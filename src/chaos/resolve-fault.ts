// The `faults` of a scenario: one trigger each, and one action that is legal there.
import { APIS } from '../protocol/apis.ts';
import { nearest, refuseFault } from '../fault/legality.ts';
import { faultSpec } from '../fault/spec.ts';
import { POINTS } from '../fault/points.ts';
import { parseAction } from './actions.ts';
import { checkName, checkPartition, momentAt, spanAt, type Names } from './names.ts';
import { specOf } from './node-fault.ts';
import type { FaultPlan, Scalar, Target, Trigger } from './plan.ts';
import { Misfit, type Path } from './scenario-error.ts';
import type { RawFault } from './schema.ts';
import { parseWhere } from './where.ts';

const TRIGGERS = ['at', 'on', 'after', 'every'] as const;

/** Resolves one fault. Throws Misfit. */
export function resolveFault(raw: RawFault, names: Names, path: Path): FaultPlan {
  const trigger = resolveTrigger(raw, names, path);
  const action = parseAction(raw.do, [...path, 'do']);
  if ('own' in action && trigger.kind !== 'at') {
    const what = `${action.own.kind} strikes what is at a point, and fault "${raw.id}" has none`;
    const message = `${what}. Write at:, or whom: {kill: leader(orders-0)}`;
    throw new Misfit('HW2410', [...path, 'do'], message);
  }
  if ('elsewhere' in action) checkTargets(action.elsewhere, names, [...path, 'do']);
  const plan: FaultPlan = {
    id: raw.id,
    trigger,
    action,
    times: raw.times ?? defaultTimes(trigger, action),
    ...(raw.until === undefined ? {} : { until: momentAt(raw.until, names, [...path, 'until']) }),
    ...(raw.for === undefined ? {} : { for: spanAt(raw.for, [...path, 'for']) }),
    ...(raw.later === undefined ? {} : { later: spanAt(raw.later, [...path, 'later']) }),
    optional: raw.optional ?? false,
  };
  const spec = specOf(plan, () => 0);
  const refused = spec === undefined ? undefined : refuseFault(faultSpec(spec));
  if (refused !== undefined) throw new Misfit('HW2410', [...path, 'do'], `fault "${raw.id}": ${refused}`);
  return plan;
}

function resolveTrigger(raw: RawFault, names: Names, path: Path): Trigger {
  const given = TRIGGERS.filter((trigger) => raw[trigger] !== undefined);
  const [first, second] = given;
  if (first === undefined) {
    throw new Misfit(
      'HW2410',
      path,
      `fault "${raw.id}" has no trigger. Write at: POINT, on: Api.request, after: or every:`,
    );
  }
  if (second !== undefined) {
    const message = `fault "${raw.id}" has two triggers, ${first}: and ${second}:. A fault has one; make two faults with the same do:`;
    throw new Misfit('HW2412', [...path, second], message);
  }
  if (first === 'at' || first === 'on') return resolvePoint(raw, first, { names, path });
  for (const key of ['where', 'nth', 'probability'] as const) {
    if (raw[key] !== undefined) throw new Misfit('HW2411', [...path, key], `${key}: needs a point; ${first}: has none`);
  }
  if (first === 'after') return { kind: 'after', moment: momentAt(raw.after!, names, [...path, 'after']) };
  return { kind: 'every', span: spanAt(raw.every!, [...path, 'every']) };
}

/** client.NAME.send.end: a point of one client. */
function clientPoint(text: string): { readonly point: string; readonly client: string } | undefined {
  const match = /^client\.([\w-]+)\.([\w-]+)\.(start|end)$/.exec(text);
  return match === null ? undefined : { point: `client.${match[2]!}.${match[3]!}`, client: match[1]! };
}

function resolvePoint(
  raw: RawFault,
  key: 'at' | 'on',
  { names, path }: { readonly names: Names; readonly path: Path },
): Trigger {
  const ofClient = key === 'at' ? clientPoint(raw.at!) : undefined;
  const point = ofClient?.point ?? (key === 'at' ? raw.at! : `rpc.${raw.on!}`);
  if (POINTS[point] === undefined) {
    const known =
      key === 'at' ? Object.keys(POINTS) : Object.keys(APIS).flatMap((api) => [`${api}.request`, `${api}.response`]);
    const given = key === 'at' ? point : raw.on!;
    throw new Misfit('HW2413', [...path, key], `no point "${given}". Nearest: ${nearest(given, known)}`);
  }
  if (ofClient !== undefined) checkName('client', ofClient.client, names.clients, [...path, key]);
  const where = parseWhere(
    { ...raw.where, ...(ofClient === undefined ? {} : { client: ofClient.client }) } as Record<string, Scalar>,
    [...path, 'where'],
  );
  return { kind: 'at', point, where, nth: raw.nth ?? 0, probability: raw.probability ?? 1 };
}

const ONCE: readonly string[] = ['kill', 'pause', 'disk:write-error', 'disk:read-error', 'disk:flip-bit'];

/** What ends a node or moves a leader happens once unless the file says more; what befalls messages, to each of them. */
function defaultTimes(trigger: Trigger, action: FaultPlan['action']): number {
  if (trigger.kind === 'every') return 0;
  if (trigger.kind === 'after' || 'elsewhere' in action) return 1;
  return ONCE.includes(action.own.kind) ? 1 : 0;
}

function checkTargets(action: object, names: Names, path: Path): void {
  const parts = action as {
    target?: Target;
    leader?: Target;
    from?: Target;
    to?: Target;
    fault?: string;
    topic?: string;
    of?: { topic: string; partition: number };
  };
  for (const target of [parts.target, parts.leader, parts.from, parts.to]) {
    if (target?.kind === 'client') checkName('client', target.client, names.clients, path);
    if (target?.kind === 'struck-by') checkName('fault', target.fault, names.faults, path);
    if (target?.kind === 'nodes' && 'of' in target.selector) checkPartition(target.selector.of, names, path);
  }
  if (parts.topic !== undefined) checkName('topic', parts.topic, new Set(names.topics.keys()), path);
  if (parts.fault !== undefined) checkName('fault', parts.fault, names.faults, path);
  if (parts.of !== undefined) checkPartition(parts.of, names, path);
}
