// repl I-22: the leader-epoch cache describes its log: epochs and starts rise strictly, the first entry covers the first
// batch, the last one starts no later than the log end, and every batch has the epoch that the cache gives its offset.
import type { LeaderEpoch, Offset } from '../../../base/units.ts';
import type { Invariant, Violation } from '../invariant.ts';
import { found } from '../invariant.ts';
import type { ReplicaView } from '../view/replica-view.ts';
import type { TraceView } from '../view/trace-view.ts';

type Epochs = readonly (readonly [LeaderEpoch, Offset])[];

export function epochCacheFits(view: TraceView): Invariant {
  /** Replicas touched in this turn, with the first batch to look at. */
  const touched = new Map<ReplicaView, number>();
  return {
    name: 'repl I-22',
    on: ['log.opened', 'log.appended', 'log.truncated', 'log.start', 'log.epochs'],
    onEvent({ node, event }) {
      if (!('topicId' in event)) return undefined;
      const replica = view.replica(node, event);
      // An append cannot break what holds for earlier batches; a new cache can.
      const from = event.type === 'log.appended' ? replica.batches.length - event.batches.length : 0;
      touched.set(replica, Math.min(from, touched.get(replica) ?? Infinity));
      return undefined;
    },
    // The cache and the data are written together and told one after the other.
    onTurnEnd() {
      let violation: Violation | undefined;
      for (const [replica, from] of touched) violation ??= check(replica, Math.max(0, from));
      touched.clear();
      return violation;
    },
    sweep: () => found(...[...view.replicas()].map((replica) => check(replica, 0))),
  };
}

function check(replica: ReplicaView, from: number): Violation | undefined {
  const why = entriesWrong(replica) ?? batchesWrong(replica, from);
  if (why === undefined) return undefined;
  const cache = replica.epochs.map(([epoch, start]) => `${epoch}→${start}`).join(', ');
  return {
    invariant: 'repl I-22',
    subject: replica.name,
    detail: `replica ${replica.node} with cache {${cache}} ${why}`,
  };
}

function entriesWrong({ epochs, batches, logStartOffset, logEndOffset }: ReplicaView): string | undefined {
  for (let i = 1; i < epochs.length; i++)
    if (epochs[i]![0] <= epochs[i - 1]![0] || epochs[i]![1] <= epochs[i - 1]![1]) return 'is not strictly rising';
  const first = epochs[0];
  const last = epochs[epochs.length - 1];
  if (first === undefined || last === undefined)
    return batches.length === 0 ? undefined : 'knows no epoch of its batches';
  const firstBatch = Math.max(logStartOffset, batches[0]?.baseOffset ?? logEndOffset);
  if (first[1] > firstBatch) return `begins behind its first offset ${firstBatch}`;
  if (last[1] > logEndOffset) return `goes beyond its log end ${logEndOffset}`;
  return undefined;
}

function batchesWrong({ epochs, batches }: ReplicaView, from: number): string | undefined {
  for (let i = from; i < batches.length; i++) {
    const { baseOffset, leaderEpoch } = batches[i]!;
    if (i > 0 && leaderEpoch < batches[i - 1]!.leaderEpoch)
      return `has epoch ${leaderEpoch} at ${baseOffset} after a later one`;
    const cached = epochAt(epochs, baseOffset);
    if (cached !== leaderEpoch) return `gives epoch ${cached} to offset ${baseOffset}, whose batch has ${leaderEpoch}`;
  }
  return undefined;
}

/** The epoch of an offset; a batch that begins before the log start has the first one. */
function epochAt(epochs: Epochs, offset: Offset): LeaderEpoch | undefined {
  for (let i = epochs.length - 1; i > 0; i--) if (epochs[i]![1] <= offset) return epochs[i]![0];
  return epochs[0]?.[0];
}
