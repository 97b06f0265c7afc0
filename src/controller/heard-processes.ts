// Says which processes the controller listens to, for whoever watches (repl I-23): that it took a request of one, when it is the
// first, or another one of the id was listened to before. Who belongs to the cluster is decided elsewhere (registered-process.ts).
import type { BrokerEpoch, NodeId } from '../base/units.ts';
import type { MetadataImage } from '../metadata/image.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { Runtime } from '../runtime/ports.ts';

interface OfProcess {
  readonly brokerId: NodeId;
  readonly brokerEpoch: BrokerEpoch;
}

/** An entry that was answered so was written. */
const TAKEN: readonly string[] = ['NONE', 'NEW_LEADER_ELECTED'];

export class HeardProcesses {
  readonly #trace: Runtime['trace'];
  /** Whom of each id it took a request of last. */
  readonly #last = new Map<NodeId, BrokerEpoch>();

  constructor(trace: Runtime['trace']) {
    this.#trace = trace;
  }

  /** A process was registered: what is taken next is told, whosever it is. */
  registered(broker: NodeId): void {
    this.#last.delete(broker);
  }

  /** A request was decided; nothing of it was taken if the answer is an error. */
  answered({ brokerId, brokerEpoch }: OfProcess, { error }: { readonly error: string }): void {
    if (error !== 'NONE' || this.#last.get(brokerId) === brokerEpoch) return;
    this.#last.set(brokerId, brokerEpoch);
    this.#trace({ type: 'broker.heard', broker: brokerId, brokerEpoch });
  }

  /** The same, of ISR proposals: who is meant by them. */
  proposed(request: RequestOf<'AlterPartition'>, response: ResponseOf<'AlterPartition'>, image: MetadataImage): void {
    this.answered(request, response);
    for (const [at, { topicId, partition, leaderEpoch, newIsr }] of request.partitions.entries()) {
      const topic = image.topics.get(topicId)?.name;
      if (topic === undefined || !TAKEN.includes(response.partitions[at]?.error ?? '')) continue;
      const members = newIsr.map(({ brokerId, brokerEpoch }) => [brokerId, brokerEpoch] as const);
      this.#trace({ type: 'isr.taken', topic, topicId, partition, leaderEpoch, members });
    }
  }
}
