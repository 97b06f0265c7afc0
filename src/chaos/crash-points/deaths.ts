// A death at a point, as a cluster of real processes tells it: the event file of the dead ends with the point, the process went
// by SIGKILL, and the log that the point is about holds nothing behind it, on no replica. What was handed to the disk
// for other logs before the point may still arrive there. Listens to a run; the sentences are what is not so.
import { formatPartition, type NodeId, type Offset } from '../../base/units.ts';
import type { BatchMark, Stamped, TraceEvent } from '../../trace/events.ts';

/** How a node or client ended at its point. */
export interface Death {
  readonly node: NodeId;
  readonly point: string;
  /** As whoever started the process saw it. */
  readonly signal: string;
  /** What is not as it must be: sentences. Empty: the point was the last thing that it did. */
  readonly problems: readonly string[];
}

/** One log of a node, as its own events tell it. */
interface OwnLog {
  end: Offset;
  /** The epoch in which it leads; -1: it follows. */
  leads: number;
}

/** Where a node was struck. */
interface Struck {
  readonly point: string;
  /** The partition whose log the point is about; undefined: about none. */
  readonly of: string | undefined;
}

interface Ended extends Struck {
  readonly node: NodeId;
  readonly signal: string;
  readonly problems: string[];
  /** That log, as it was. */
  readonly log: Readonly<OwnLog> | undefined;
  /** It has been opened since. */
  opened: boolean;
}

export class DeathWatch {
  readonly #fault: string;
  readonly #last = new Map<NodeId, Stamped>();
  readonly #logs = new Map<NodeId, Map<string, OwnLog>>();
  /** Last offset in any log, by "partition epoch". */
  readonly #reached = new Map<string, Offset>();
  readonly #struck = new Map<NodeId, Struck>();
  #dead: Ended | undefined;

  /** @param fault The fault that kills the node which comes to its point. */
  constructor(fault: string) {
    this.#fault = fault;
  }

  onEvent(stamped: Stamped): void {
    const { node, event } = stamped;
    if (node === this.#dead?.node) this.#compareOpened(event);
    this.#last.set(node, stamped);
    this.#follow(node, event);
  }

  /** A process is gone. Told behind its last event. */
  onExit(node: NodeId, signal: string): void {
    const last = this.#last.get(node)?.event;
    if (this.#dead !== undefined || !this.#struck.has(node)) return;
    const fired = last?.type === 'fault.fired' && last.fault === this.#fault;
    const problems = [
      ...(fired ? [] : [`the event file of node ${node} ends with ${last?.type ?? 'nothing'}, not with the point`]),
      ...(signal === 'SIGKILL' ? [] : [`node ${node} went by ${signal === '' ? 'itself' : signal}, not by SIGKILL`]),
    ];
    const struck = this.#struck.get(node)!;
    const log = struck.of === undefined ? undefined : this.#logs.get(node)?.get(struck.of);
    const asItWas = log === undefined ? undefined : { ...log };
    this.#dead = { ...struck, node, signal, problems, log: asItWas, opened: false };
  }

  /** What came of it; undefined if nobody died at the point. */
  death(): Death | undefined {
    if (this.#dead === undefined) return undefined;
    const { node, point, of, signal, problems, log } = this.#dead;
    const reached = log === undefined || log.leads < 0 ? undefined : this.#reached.get(`${of} ${log.leads}`);
    const beyond =
      reached === undefined || reached < log!.end
        ? []
        : [
            `a log of ${of} reaches ${reached} in epoch ${log!.leads}, which node ${node} led: it had ${log!.end} at its point`,
          ];
    return { node, point, signal, problems: [...problems, ...beyond] };
  }

  #follow(node: NodeId, event: TraceEvent): void {
    switch (event.type) {
      case 'fault.fired':
        if (event.fault === this.#fault) this.#struck.set(node, { point: event.point, of: logOf(event) });
        return;
      case 'log.opened':
        this.#noteBatches(event, event.batches);
        this.#log(node, event).end = event.logEndOffset;
        return;
      case 'log.appended':
        this.#noteBatches(event, event.batches);
        this.#log(node, event).end = event.logEndOffset;
        return;
      case 'log.truncated':
        this.#log(node, event).end = event.to;
        return;
      case 'leader.started':
        this.#log(node, event).leads = event.leaderEpoch;
        return;
      case 'follower.started':
        this.#log(node, event).leads = -1;
        return;
      default:
    }
  }

  #noteBatches(of: { readonly topic: string; readonly partition: number }, batches: readonly BatchMark[]): void {
    for (const { leaderEpoch, lastOffset } of batches) {
      const key = `${formatPartition(of.topic, of.partition)} ${leaderEpoch}`;
      this.#reached.set(key, Math.max(this.#reached.get(key) ?? -1, lastOffset));
    }
  }

  /** What the dead finds when it starts again is at most what it had told of. */
  #compareOpened(event: TraceEvent): void {
    if (event.type !== 'log.opened' || this.#dead === undefined) return;
    const { node, of, log, opened, problems } = this.#dead;
    if (log === undefined || opened || formatPartition(event.topic, event.partition) !== of) return;
    this.#dead.opened = true;
    if (event.logEndOffset <= log.end) return;
    problems.push(
      `${of} of node ${node} ends at ${event.logEndOffset} when it starts again: it had ${log.end} at its point`,
    );
  }

  #log(node: NodeId, of: { readonly topic: string; readonly partition: number }): OwnLog {
    const logs = this.#logs.get(node) ?? new Map<string, OwnLog>();
    this.#logs.set(node, logs);
    const name = formatPartition(of.topic, of.partition);
    const log = logs.get(name) ?? { end: 0, leads: -1 };
    logs.set(name, log);
    return log;
  }
}

/** Points of leaders name the partition; those of coordinators, their shard. */
function logOf({ point, fields }: Extract<TraceEvent, { readonly type: 'fault.fired' }>): string | undefined {
  const { topic, partition, leaderEpoch } = fields;
  if (typeof partition !== 'number') return undefined;
  if (leaderEpoch !== undefined && typeof topic === 'string') return formatPartition(topic, partition);
  if (point.startsWith('txn.')) return formatPartition('__transaction_state', partition);
  return point.startsWith('group.') ? formatPartition('__consumer_offsets', partition) : undefined;
}
