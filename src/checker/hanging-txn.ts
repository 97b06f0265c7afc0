// Hanging transactions: one is open in a partition when everything is quiet, and nobody will end it, so that read_committed
// readers stand still for ever (txn INV-7, T-180). One that its coordinator knows and will end in time is innocent.
import type { Offset } from '../base/units.ts';
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import { entryOf } from './keep.ts';
import type { HistoryView } from './view.ts';

/** How long after its timeout a transaction may stay open: the scan, and the round trips of two requests (INV-7). */
const ABORT_GRACE_MS = 10_000 + 2 * 30_000;

const UNDER_WAY: ReadonlySet<string> = new Set(['Ongoing', 'PrepareCommit', 'PrepareAbort', 'PrepareEpochFence']);

type Described = HistoryView['described'][number];

/** A transaction that is open in a partition. */
interface Open {
  readonly partition: string;
  readonly producerId: number;
  readonly firstOffset: Offset;
  /** Undefined: only the log says that it is open. */
  readonly idleMs: number | undefined;
  readonly shownBy: number;
}

/**
 * What leaders say is open, and where they were not asked, what no marker ends in the final log. The coordinator of every
 * transactional id must have been asked, else what nobody claims may still be known to somebody.
 */
export const hangingTransactions: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const silent = silentIds(view);
  const underWay = new Map<number, Described[]>();
  for (const entry of view.described)
    if (UNDER_WAY.has(entry.state)) entryOf(underWay, entry.producerId, () => []).push(entry);
  for (const open of openTransactions(view)) {
    const owner = underWay.get(open.producerId)?.find(({ partitions }) => partitions.includes(open.partition));
    if (owner === undefined && silent.length > 0) {
      const asked = `the coordinators of ${silent.join(', ')} did not say whether it is theirs`;
      findings.inconclusive.push(
        `hanging-txn: a transaction is open at ${open.firstOffset} of ${open.partition}, and ${asked}`,
      );
    } else if (owner === undefined || (open.idleMs ?? 0) > owner.timeoutMs + ABORT_GRACE_MS)
      judge(view, open, owner, findings);
  }
  for (const partition of unseenPartitions(view))
    findings.inconclusive.push(
      `hanging-txn: transactions wrote to ${partition}, and what is open there was not observed`,
    );
  return findings;
};

function judge(
  view: HistoryView,
  { partition, producerId, firstOffset, shownBy }: Open,
  owner: Described | undefined,
  findings: FindingsBuilder,
): void {
  const first = view.outcomes(partition).at(firstOffset)?.value;
  const send = first === undefined ? undefined : view.sent.get(partition, first)?.tracked;
  const details = { offset: firstOffset, producerId, value: first, transactionalId: owner?.transactionalId };
  const whose =
    owner === undefined ? 'no coordinator knows of it' : `its timeout of ${owner.timeoutMs} ms is long over`;
  const says = `a transaction of producer ${producerId} is open at ${firstOffset} of ${partition}, and ${whose}`;
  const ops = [shownBy, ...(send === undefined ? [] : [send.index]), ...(owner === undefined ? [] : [owner.index])];
  findings.add({ anomaly: 'hanging-txn', partition, details, ops, says }, view.budget(partition));
}

function openTransactions(view: HistoryView): Open[] {
  const last = new Map(view.openTransactions.map((one) => [one.partition, one]));
  const told = [...last.values()].flatMap(({ partition, index, open }) =>
    open.map((one): Open => ({ ...one, partition, shownBy: index })),
  );
  const logged = view.finalLogs.flatMap(({ partition, complete }): Open[] => {
    if (last.has(partition) || !complete || partition.startsWith('__')) return [];
    const outcomes = view.outcomes(partition);
    const first = new Map<number, Open>();
    for (const { kind, offset, producerId = -1 } of outcomes.places) {
      if (kind !== 'open' || first.has(producerId)) continue;
      const shownBy = outcomes.shownBy!;
      first.set(producerId, { partition, producerId, firstOffset: offset, idleMs: undefined, shownBy });
    }
    return [...first.values()];
  });
  return [...told, ...logged];
}

/** Transactional ids of which no coordinator was heard. */
function silentIds({ txnOps, described }: HistoryView): string[] {
  const heard = new Set(described.map(({ transactionalId }) => transactionalId));
  return [...new Set(txnOps.map(({ invoke }) => invoke.transactionalId))].filter((id) => !heard.has(id));
}

function unseenPartitions(view: HistoryView): Set<string> {
  const told = new Set(view.openTransactions.map(({ partition }) => partition));
  const written = view.tracked.filter(({ txn }) => txn !== undefined).map(({ partition }) => partition);
  return new Set(written.filter((partition) => !told.has(partition) && !view.finalLog(partition).complete));
}
