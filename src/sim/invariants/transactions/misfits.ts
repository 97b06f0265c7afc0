// What must not stand in the log of a replica, as the fold of it tells (view/txn-log.ts), made a rule. Excused where a
// cleaner was (txn T-114). Shared by the rules about producers in logs.
import type { Invariant, Violation } from '../invariant.ts';
import type { ReplicaView } from '../view/replica-view.ts';
import type { TraceView } from '../view/trace-view.ts';

/** The rule of this name, on every log from its start to `bound`. */
export function misfits(view: TraceView, name: string): Invariant {
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
