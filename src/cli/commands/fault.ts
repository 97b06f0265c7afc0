// highwater fault points|add|list|rm|heal: faults of the running cluster, by hand.
import type { Command } from 'commander';
import { nearest } from '../../base/nearest.ts';
import { actionsOfClients, legalActions, refuseFault, type ActionKind } from '../../fault/legality.ts';
import { POINTS } from '../../fault/points.ts';
import { SAFEGUARDS } from '../../fault/safeguards.ts';
import { faultSpec } from '../../fault/spec.ts';
import type { FaultAction, FaultFilter, FaultSpec } from '../../protocol/generated/index.ts';
import { withCluster, type Cluster } from '../cluster.ts';
import { collect, globals } from '../command.ts';
import { parseCount, parseDuration } from '../duration.ts';
import { document, printRows, say, write } from '../output.ts';
import { EXIT, Problem } from '../problem.ts';
import { registerStormCommand } from './storm.ts';
import { watchable } from '../watch.ts';

const CALL_MS = 10_000;
/** The first words of points. */
const AREAS = [...new Set(Object.keys(POINTS).map((point) => point.split('.')[0]!))];
/** What a scenario can do when a point is reached; by hand these are commands of their own. */
const BY_THEMSELVES = new Set(['elect', 'cut', 'mend', 'switch']);

export function registerFaultCommands(program: Command): void {
  const fault = program
    .command('fault')
    .description('strike at a named point of the protocol, cut links, switch safeguards; all of it heals');
  fault
    .command('points [area]')
    .description('where a fault can strike')
    .action((area: string | undefined, _options, command: Command) => points(area, command));
  fault
    .command('add')
    .description('arm a fault, cut a link (--do cut) or switch a safeguard (--do switch)')
    .option('--at <point>', 'the point; see: highwater fault points')
    .option(
      '--where <field=value>',
      'condition on a field; also != >= <= > <, values a|b, globs; repeatable',
      collect,
      [],
    )
    .option('--nth <n>', 'strike at the n-th match only')
    .option('--times <n>', 'strike at most so often')
    .option('--probability <p>', 'strike with this probability')
    .requiredOption(
      '--do <action>',
      'kill, pause, hold, drop, delay:200ms, error:NAME, disk:full, … or cut, switch:SAFEGUARD=off; see: highwater fault points',
    )
    .option('--target <node>', 'whom kill and pause strike (default: the node at the point)')
    .option('--later <duration>', 'act so much later and let the flow go on')
    .option('--ttl <duration>', 'expires by itself after this')
    .option('--id <name>', 'its name (default: f1, f2, …)')
    .option('--from <node>', 'cut: the sending side')
    .option('--to <node>', 'cut: the receiving side')
    .option('--one-way', 'cut: only from → to')
    .action((options: AddOptions, command: Command) => add(options, command));
  watchable(fault.command('list'))
    .description('armed faults, what they hit, cut links, safeguards that are off')
    .action((_options, command: Command) => list(command));
  fault
    .command('rm <id>')
    .description('remove a fault and let go of what it holds')
    .action((id: string, _options, command: Command) => remove(id, command));
  fault
    .command('release <id>')
    .description('let go of what a hold fault holds; it stays armed')
    .action((id: string, _options, command: Command) => release(id, command));
  registerStormCommand(fault);
  fault
    .command('heal')
    .description('remove all faults, mend all links, switch all safeguards on, resume the paused')
    .action((_options, command: Command) => heal(command));
}

async function points(area: string | undefined, command: Command): Promise<void> {
  const out = globals(command);
  const rows = Object.entries(POINTS)
    .filter(([name]) => area === undefined || name.startsWith(area))
    .map(([name, info]) => ({
      point: name,
      kind: info.kind,
      fields: ['node', ...info.fields],
      actions: legalActions(name).filter((kind) => !BY_THEMSELVES.has(kind)),
      actionsViaKafka: actionsOfClients(name),
      meaning: info.meaning,
    }));
  if (rows.length === 0) throw new Problem('HW2103', `no point begins with "${area}". Areas: ${AREAS.join(', ')}`);
  if (out.json) return write(document('fault.points', rows));
  for (const { point, kind, meaning, fields, actions, actionsViaKafka } of rows) {
    const lines = [`${point}  (${kind})`, `  ${meaning}`, `  fields   ${fields.join(', ')}`];
    lines.push(`  actions  ${actions.join(', ')}`);
    if (actionsViaKafka.length > 0) lines.push(`           with --where via=kafka also ${actionsViaKafka.join(', ')}`);
    await write(`${lines.join('\n')}\n`);
  }
}

interface AddOptions {
  readonly at?: string;
  readonly where: readonly string[];
  readonly nth?: string;
  readonly times?: string;
  readonly probability?: string;
  readonly do: string;
  readonly target?: string;
  readonly later?: string;
  readonly ttl?: string;
  readonly id?: string;
  readonly from?: string;
  readonly to?: string;
  readonly oneWay?: boolean;
}

async function add(options: AddOptions, command: Command): Promise<void> {
  const out = globals(command);
  await withCluster(out.cluster, async (cluster) => {
    const [verb = '', detail = ''] = splitOnce(options.do, ':');
    const done =
      verb === 'cut' || verb === 'mend'
        ? await cut(cluster, options, verb === 'cut')
        : verb === 'switch'
          ? await switchSafeguard(cluster, detail)
          : await arm(cluster, options, verb, detail);
    await write(out.json ? document('fault.add', [done]) : `${done.said}\n`);
  });
}

function splitOnce(text: string, by: string): [string, string] {
  const at = text.indexOf(by);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

async function cut(cluster: Cluster, options: AddOptions, cutting: boolean): Promise<{ said: string }> {
  if (options.from === undefined || options.to === undefined)
    throw new Problem('HW2101', `--do ${options.do} needs --from NODE and --to NODE`);
  const [from, to] = [await cluster.nodes(options.from), await cluster.nodes(options.to)];
  for (const a of from) {
    for (const b of to) {
      if (a === b) continue;
      await cluster.act(cluster.agent.call('SetLinkBetween', { from: a, to: b, cut: cutting }, CALL_MS));
      if (options.oneWay !== true)
        await cluster.act(cluster.agent.call('SetLinkBetween', { from: b, to: a, cut: cutting }, CALL_MS));
    }
  }
  return {
    said: `link ${from.join(',')} ${options.oneWay === true ? '→' : '↔'} ${to.join(',')} is ${cutting ? 'cut' : 'mended'}`,
  };
}

async function switchSafeguard(cluster: Cluster, text: string): Promise<{ said: string }> {
  const [name, value] = splitOnce(text, '=');
  if (value !== 'on' && value !== 'off')
    throw new Problem('HW2101', `write --do switch:NAME=off or =on. Safeguards: ${Object.keys(SAFEGUARDS).join(', ')}`);
  if (!(name in SAFEGUARDS)) {
    const near = nearest(name, Object.keys(SAFEGUARDS));
    throw new Problem(
      'HW2101',
      `no safeguard "${name}". ${near === undefined ? '' : `Nearest: ${near}. `}All: ${Object.keys(SAFEGUARDS).join(', ')}`,
    );
  }
  await cluster.act(cluster.agent.call('SetSafeguardOnAll', { name, on: value === 'on' }, CALL_MS));
  return { said: `safeguard ${name} is ${value}` };
}

async function arm(
  cluster: Cluster,
  options: AddOptions,
  verb: string,
  detail: string,
): Promise<{ said: string; id: string }> {
  if (options.at === undefined)
    throw new Problem('HW2101', `--do ${verb} needs --at POINT. All: highwater fault points`);
  const fault = await readFault(cluster, options, verb, detail);
  if (POINTS[fault.point] === undefined)
    throw new Problem('HW2103', `${refuseFault(fault) ?? ''}. All: highwater fault points`);
  const refused = refuseFault(fault);
  if (refused !== undefined) throw new Problem('HW2101', refused);
  await cluster.act(cluster.agent.call('ArmOnAll', { fault }, CALL_MS));
  return {
    said: `fault ${fault.id} is armed on all running nodes: ${fault.action?.kind ?? verb} at ${fault.point}`,
    id: fault.id,
  };
}

async function readFault(cluster: Cluster, options: AddOptions, verb: string, detail: string): Promise<FaultSpec> {
  const action: Partial<FaultAction> & { kind: ActionKind } = { kind: verb as ActionKind };
  if (verb === 'disk') {
    const [what, length] = splitOnce(detail, ':');
    action.kind = `disk:${what}` as ActionKind;
    if (length !== '') action.durationMs = parseDuration(`--do ${action.kind}`, length);
  } else if (verb === 'delay' || verb === 'pause')
    action.durationMs = detail === '' ? 0 : parseDuration(`--do ${verb}`, detail);
  else if (verb === 'error') action.error = detail as FaultAction['error'];
  else if (detail !== '') throw new Problem('HW2101', `--do ${verb} takes no ":${detail}"`);
  if (options.target !== undefined && options.target !== 'node')
    action.target = String(await cluster.node(options.target));
  if (options.later !== undefined) action.laterMs = parseDuration('--later', options.later);
  return faultSpec({
    ...{ id: options.id ?? (await freshId(cluster)), point: options.at!, action, owner: 'cli' },
    where: options.where.map(parseFilter),
    nth: options.nth === undefined ? 0 : parseCount('--nth', options.nth, 1),
    times: options.times === undefined ? 0 : parseCount('--times', options.times, 1),
    probability: options.probability === undefined ? 1 : Number(options.probability),
    ttlMs: options.ttl === undefined ? 0 : parseDuration('--ttl', options.ttl),
  });
}

async function freshId(cluster: Cluster): Promise<string> {
  const { faults } = await cluster.reach('the agent', cluster.agent.call('ListAllFaults', {}, CALL_MS));
  const taken = new Set(faults.map((status) => status.fault?.id));
  let number = 1;
  while (taken.has(`f${number}`)) number += 1;
  return `f${number}`;
}

/** Reads "partition=0", "offset>=5", "to=2|3", "topic=ord*". */
export function parseFilter(text: string): FaultFilter {
  const match = /^([A-Za-z]+)\s*(!=|>=|<=|=|>|<)\s*(.+)$/.exec(text.trim());
  if (match === null)
    throw new Problem('HW2101', `--where "${text}" is no condition. Write field=value, e.g. topic=orders or offset>=5`);
  const [, field, op, value] = match as unknown as [string, string, string, string];
  const values = value.split('|');
  return { field, op: op === '=' && values.some((each) => /[*?]/.test(each)) ? 'glob' : op, values };
}

const shown = (filter: FaultFilter): string =>
  `${filter.field}${filter.op === 'glob' ? '=' : filter.op}${filter.values.join('|')}`;

/** An action as --do takes it: delay:200ms, error:NOT_LEADER_OR_FOLLOWER. */
function inFull({ kind, error, durationMs }: FaultAction): string {
  if (kind === 'error') return `error:${error}`;
  return durationMs > 0 ? `${kind}:${durationMs}ms` : kind;
}

async function list(command: Command): Promise<void> {
  const out = globals(command);
  await withCluster(out.cluster, async (cluster) => {
    const { faults, safeguardsOff, cuts } = await cluster.reach(
      'the agent',
      cluster.agent.call('ListAllFaults', {}, CALL_MS),
    );
    const rows = faults.map(({ fault, hits, matches, firings, holding, nearMisses }) => ({
      ...{
        id: fault?.id,
        point: fault?.point,
        where: fault?.where.map(shown),
        do: fault?.action?.kind,
        does: fault?.action ? inFull(fault.action) : undefined,
        owner: fault?.owner,
      },
      ...{ hits, matches, firings, holding, nearMisses },
    }));
    if (out.json) return write(document('fault.list', rows, { safeguardsOff, cuts }));
    await printRows(out, 'fault.list', rows, [
      { title: 'FAULT', of: (row) => row.id },
      { title: 'POINT', of: (row) => row.point },
      { title: 'WHERE', of: (row) => row.where },
      { title: 'DO', of: (row) => row.does },
      { title: 'HITS', of: (row) => row.hits },
      { title: 'MATCHES', of: (row) => row.matches },
      { title: 'FIRINGS', of: (row) => row.firings },
      { title: 'HOLDING', of: (row) => row.holding },
      { title: 'OWNER', of: (row) => row.owner },
    ]);
    // A point that nobody came to is told by its 0 hits.
    const missed = rows.filter(({ hits }) => hits > 0);
    for (const { id, nearMisses } of missed) for (const miss of nearMisses) await write(`${id}: ${miss}\n`);
    if (cuts.length > 0) await write(`links cut: ${cuts.map(({ from, to }) => `${from} → ${to}`).join(', ')}\n`);
    if (safeguardsOff.length > 0) await write(`safeguards off: ${safeguardsOff.join(', ')}\n`);
  });
}

async function remove(id: string, command: Command): Promise<void> {
  await done(command, 'rm', id, (cluster) =>
    cluster.agent.call('DisarmOnAll', { id: id === 'all' ? '*' : id }, CALL_MS),
  );
}

async function release(id: string, command: Command): Promise<void> {
  await done(command, 'release', id, (cluster) => cluster.agent.call('ReleaseOnAll', { id }, CALL_MS));
}

async function heal(command: Command): Promise<void> {
  await done(command, 'heal', 'everything', (cluster) => cluster.agent.call('Heal', { owner: '' }, CALL_MS));
  const out = globals(command);
  await withCluster(out.cluster, async (cluster) => {
    const { nodes } = await cluster.reach('the agent', cluster.agent.call('ListNodes', {}, CALL_MS));
    const outdated = nodes.flatMap((node) => (node.outdated ? [node.id] : []));
    if (outdated.length === 0) return;
    const which = `node ${outdated.join(', ')} still has the settings of a run that was killed, until its next start`;
    say(out, `${which}. Use: highwater node restart ${outdated[0]}`);
  });
}

async function done(
  command: Command,
  verb: string,
  what: string,
  call: (cluster: Cluster) => Promise<{ readonly refused: string }>,
): Promise<void> {
  const out = globals(command);
  await withCluster(out.cluster, async (cluster) => {
    const { refused } = await cluster.reach('the agent', call(cluster));
    if (refused !== '') throw new Problem('HW2101', refused, EXIT.failed);
    const words: Readonly<Record<string, string>> = { rm: 'removed', release: 'released', heal: 'healed' };
    await write(out.json ? document(`fault.${verb}`, [{ id: what }]) : `${words[verb] ?? verb}: ${what}\n`);
  });
}
