// Makes a scenario of a row: the usual cluster and clients, the faults of the row, and what every row expects (txn T-185),
// with a matrix of how the transaction ends, which version of the protocol it speaks, and what becomes of the victim (T-187).
// It goes through the ordinary reader, so the same text runs in the simulator, on processes, and from a file.
import { stringify } from 'yaml';
import { ANOMALIES } from '../../checker/findings.ts';
import type { RunPlan } from '../plan.ts';
import { readScenario } from '../read-scenario.ts';
import type { RawClient, RawExpectation, RawFault, RawScenario } from '../schema.ts';
import { ID, WORK, type Back, type CrashPoint, type Ending, type Version } from './row.ts';

/** A cell of the matrix of a row. */
export interface Cell {
  readonly outcome: Ending;
  readonly version: Version;
  /** Absent: no broker is killed. */
  readonly back?: Back;
}

const ENDINGS: readonly Ending[] = ['commit', 'abort'];
const VERSIONS: readonly Version[] = [1, 2];
/** When the victim is started. */
const BACK_AFTER: Readonly<Record<Back, string>> = { restarts: 'crash + 500ms', 'stays-dead': 'next.done' };

/** Why a cell does not apply, or undefined. */
export function omitted(row: CrashPoint, cell: Pick<Cell, 'outcome' | 'version'>): string | undefined {
  const applies = row.fates[cell.outcome] !== undefined && (row.versions ?? VERSIONS).includes(cell.version);
  return applies ? undefined : (row.omits ?? 'does not apply');
}

/** The cells of a row that apply, among those chosen. */
export function cellsOf(row: CrashPoint, choice: Partial<Cell> = {}): Cell[] {
  const chosen = <K extends keyof Cell>(key: K, values: readonly Cell[K][]): readonly Cell[K][] =>
    values.filter((value) => choice[key] === undefined || choice[key] === value);
  const backs = backsOf(row);
  const within = backs.length === 0 ? [{}] : chosen('back', backs).map((back) => ({ back: back! }));
  return chosen('outcome', ENDINGS).flatMap((outcome) =>
    chosen('version', VERSIONS)
      .filter((version) => omitted(row, { outcome, version }) === undefined)
      .flatMap((version) => within.map((back) => ({ outcome, version, ...back }))),
  );
}

/** Why a row has none of the cells chosen; undefined: it has some. */
export function whyNoCell(row: CrashPoint, choice: Partial<Cell>): string | undefined {
  if (cellsOf(row, choice).length > 0) return undefined;
  const { outcome = 'commit', version = 2 } = choice;
  return omitted(row, { outcome, version }) ?? `in all its cells the victim ${backsOf(row).join(' or ')}`;
}

/** The scenario of some cells of a row, as the text of a file. */
export function scenarioText(row: CrashPoint, choice: Partial<Cell> = {}): string {
  return stringify(scenarioOf(row, choice), { lineWidth: 110, flowCollectionPadding: true });
}

/** The plan of one cell. */
export function planOf(row: CrashPoint, cell: Cell, seed: string): RunPlan {
  const [plan] = readScenario(scenarioText(row, cell), `${row.id}.yaml`, { seed });
  return plan!;
}

function scenarioOf(row: CrashPoint, choice: Partial<Cell>): RawScenario {
  const cells = cellsOf(row, choice);
  const backs = unique(cells.flatMap(({ back }) => (back === undefined ? [] : [BACK_AFTER[back]])));
  return {
    highwater: 1,
    name: `${row.id.toLowerCase()}-${row.name}`.slice(0, 63),
    summary: `${row.id} of the crash points (${row.group}). Strikes ${row.victim}: ${row.point}. Required: ${row.requires}`,
    cluster: {
      brokers: row.brokers ?? 3,
      timers: 'fast',
      config: {
        'transaction.version': '${version}',
        'transaction.state.log.num.partitions': 1,
        'offsets.topic.num.partitions': 1,
        ...row.config,
      },
    },
    topics: [
      { name: 'orders', partitions: 2, rf: 3, config: { 'min.insync.replicas': 2, ...row.orders } },
      { name: 'input', rf: 3, config: { 'min.insync.replicas': 2 } },
      ...(row.topics ?? []),
    ],
    ...(row.safeguards === undefined ? {} : { safeguards: row.safeguards }),
    matrix: {
      outcome: unique(cells.map(({ outcome }) => outcome)),
      version: unique(cells.map(({ version }) => version)),
      ...(backs.length === 0 ? {} : { back: backs }),
    },
    workload: clientsOf(row),
    faults: [...row.faults, ...backFault(backs)],
    expect: expectationsOf(row, cells),
  };
}

function backsOf(row: CrashPoint): readonly Back[] {
  if (row.back !== undefined) return row.back;
  const crash = row.faults.find(({ id }) => id === 'crash')?.do;
  const killed = typeof crash === 'string' ? (crash === 'kill' ? 'node' : undefined) : crash?.['kill'];
  return killed === undefined || String(killed).startsWith('client(') ? [] : ['restarts', 'stays-dead'];
}

function backFault(backs: readonly string[]): RawFault[] {
  return backs.length === 0 ? [] : [{ id: 'back', after: '${back}', do: { start: 'crash.node' } }];
}

function clientsOf(row: CrashPoint): RawClient[] {
  const steps = row.steps ?? [...WORK, '${outcome}', 'begin', 'send orders/0 b0', 'commit'];
  return [
    { id: 'app', transactional: ID, timeout: '20s', ...row.app, ...(row.app?.copy === undefined ? { steps } : {}) },
    {
      ...{ id: 'next', transactional: ID, timeout: '20s', start: { after: row.nextAfter ?? 'app.done' } },
      steps: ['begin', 'send orders/0 c0', 'send orders/1 c1', 'commit'],
    },
    ...(row.clients ?? []),
    { id: 'rc', consume: 'orders', isolation: 'read_committed' },
    { id: 'ru', consume: 'orders', isolation: 'read_uncommitted' },
  ];
}

/** What holds of every row: no anomaly, nothing open at the end, and the id goes on. And its fates, where there is one. */
function expectationsOf(row: CrashPoint, cells: readonly Cell[]): RawExpectation[] {
  const except = new Set<string>(row.except);
  const fates = unique(cells.map(({ outcome }) => outcome)).flatMap((outcome): RawExpectation[] => {
    const fate = row.fates[outcome] ?? [];
    if (fate.length === 1 && fate[0] === 'C') return [{ when: { outcome }, eventually: 'visible(rc, a0)' }];
    return fate.includes('C') ? [] : [{ when: { outcome }, never: 'visible(rc, a0 | a1)' }];
  });
  return [
    { never: ANOMALIES.filter((anomaly) => !except.has(anomaly)) },
    { eventually: `txn(${ID}) = [Empty, CompleteCommit, CompleteAbort]` },
    { eventually: 'lso(orders-0) = hw' },
    { eventually: 'lso(orders-1) = hw' },
    { client: 'next', op: 'commit', outcome: 'ok' },
    ...fates,
    ...(row.expect ?? []),
  ];
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
