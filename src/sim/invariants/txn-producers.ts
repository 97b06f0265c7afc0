// txn INV-5, INV-10 and INV-14 in the logs of data: per producer neither its epochs nor those of its coordinators ever fall,
// and a transaction is over before the next one begins. Excused where a cleaner was (txn T-114). A leader that was replaced and
// does not know it may take the next transaction of a producer without having got the marker of the one before: INV-10 speaks
// of what is committed.
import type { Invariant, Violation } from './invariant.ts';
import type { ReplicaView } from './replica-view.ts';
import type { TraceView } from './trace-view.ts';

/** Batches and markers of one producer in one log: each newer than, or as new as, the one before. */
export const epochsNeverFall = (view: TraceView): Invariant => misfits(view, 'txn INV-5');
/** Between data of two transactions of one producer stands a marker; inside one nothing else of it. */
export const oneTransactionAtATime = (view: TraceView): Invariant => misfits(view, 'txn INV-10');
/** Who obeyed a newer coordinator obeys no older one (txn T-116, T-117). */
export const zombiesAreRefused = (view: TraceView): Invariant => misfits(view, 'txn INV-14');

function misfits(view: TraceView, name: string): Invariant {
  const check = (replica: ReplicaView): Violation | undefined => {
    if (view.isCleaned(replica.name)) return undefined;
    const bound = name === 'txn INV-10' ? replica.highWatermark : Infinity;
    const misfit = view.transactions.misfits(replica).find((one) => one.invariant === name && one.offset < bound);
    if (misfit === undefined) return undefined;
    return { invariant: name, subject: replica.name, detail: `replica ${replica.node}: ${misfit.detail}` };
  };
  return {
    name,
    on: ['log.appended', 'log.opened', 'hw'],
    onEvent({ node, event }) {
      return 'topicId' in event ? check(view.replica(node, event)) : undefined;
    },
    sweep: () => [...view.replicas()].flatMap((replica) => check(replica) ?? []),
  };
}
