// Double leaders: two brokers acknowledged records of one partition, each as its leader (repl I-8, I-14). Answers to produce
// requests tell who gave them and in which leader epoch; those that do not are left out.
import type { AckedSend } from './arrange.ts';
import { FindingsBuilder, type Anomaly, type Checker, type Findings } from './findings.ts';
import { entryOf } from './keep.ts';
import type { HistoryView } from './view.ts';

/** A send whose answer tells who gave it. */
type Led = AckedSend & { readonly node: number; readonly leaderEpoch: number };

/** What is known of one partition. */
interface Leads {
  /** The first answer of each epoch. */
  readonly byEpoch: Map<number, Led>;
  /** Answers that told a process of a newer epoch than all before, in order. */
  readonly newer: Map<string, Led[]>;
}

/**
 * Two things show it. Two brokers acknowledge in one epoch: nothing excuses that. And a process is told of an epoch, sends,
 * and that is acknowledged with acks=all in an older one: whoever leads the newer epoch was in the ISR, so nothing that was
 * sent later can be committed without it (repl ). An unclean election or a declared loss excuses the second.
 * With acks=1 a deposed leader goes on until it hears of it. The order between two processes proves nothing. One finding for
 * each partition and kind.
 */
export const doubleLeaders: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const partitions = new Map<string, Leads>();
  const reported = new Set<string>();
  const report = (kind: string, found: Anomaly, excuses: Parameters<FindingsBuilder['add']>[1]): void => {
    if (reported.has(`${kind} ${found.partition}`)) return;
    reported.add(`${kind} ${found.partition}`);
    findings.add(found, excuses);
  };
  for (const send of ledSends(view)) {
    const { partition, process, leaderEpoch, node, acks, invoked } = send;
    const leads = entryOf(partitions, partition, (): Leads => ({ byEpoch: new Map(), newer: new Map() }));
    const first = entryOf(leads.byEpoch, leaderEpoch, () => send);
    if (first.node !== node) report('same', inOneEpoch(first, send), []);
    const newer = entryOf(leads.newer, process, (): Led[] => []);
    const known = newer.findLast(({ index }) => index < invoked);
    if (acks === -1 && known !== undefined && known.leaderEpoch > leaderEpoch)
      report('older', inAnOlderEpoch(known, send), view.budget(partition));
    if (leaderEpoch > (newer.at(-1)?.leaderEpoch ?? -1)) newer.push(send);
  }
  return findings;
};

function* ledSends({ acked }: HistoryView): Generator<Led> {
  for (const send of acked) if (send.node !== undefined && send.leaderEpoch !== undefined) yield send as Led;
}

function inOneEpoch(first: Led, { partition, node, leaderEpoch, value, index }: Led): Anomaly {
  const says =
    `broker ${first.node} acknowledged "${first.value}" as the leader of ${partition} in leader epoch ${leaderEpoch}, ` +
    `and broker ${node} "${value}" in the same`;
  const details = { leaderEpoch, first: first.node, second: node };
  return { anomaly: 'double-leader', partition, details, ops: [first.index, index], says };
}

function inAnOlderEpoch(known: Led, { partition, process, node, leaderEpoch, value, invoked, index }: Led): Anomaly {
  const says =
    `${process} was told of leader epoch ${known.leaderEpoch} of ${partition}, and then broker ${node} acknowledged ` +
    `"${value}", sent later, in leader epoch ${leaderEpoch}`;
  const details = { process, leaderEpoch, newer: known.leaderEpoch, first: known.node, second: node };
  return { anomaly: 'double-leader', partition, details, ops: [known.index, invoked, index], says };
}
