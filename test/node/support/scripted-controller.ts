// A controller that decides nothing: it lets brokers in, says what the test says, and keeps what it was asked.
import type { NodeId } from '../../../src/base/units.ts';
import { MetadataImage } from '../../../src/metadata/image.ts';
import { registerBrokerRecord, registrationChangeRecord } from '../../../src/metadata/records.ts';
import type { RequestOf, ResponseOf } from '../../../src/protocol/apis.ts';
import type { ErrorName } from '../../../src/protocol/errors.ts';
import type { MetadataRecord } from '../../../src/protocol/generated/index.ts';
import type { Answer, InStream, Runtime } from '../../../src/runtime/ports.ts';

/** A proposal that waits for the test's answer. */
export interface HeardProposal {
  readonly request: RequestOf<'AlterPartition'>;
  readonly answer: Answer<ResponseOf<'AlterPartition'>>;
}

export class ScriptedController {
  readonly image = new MetadataImage();
  readonly proposals: HeardProposal[] = [];
  readonly heartbeats: RequestOf<'BrokerHeartbeat'>[] = [];
  readonly registrations: RequestOf<'BrokerRegistration'>[] = [];
  readonly createdTopics: string[] = [];
  readonly creations: RequestOf<'CreateTopics'>[] = [];
  /** Brokers that asked for producer ids, and wait. */
  readonly allocations: Answer<ResponseOf<'AllocateProducerIds'>>[] = [];
  /** Answers of registrations before it lets a broker in. */
  readonly refusals: ErrorName[] = [];
  /** Set: every heartbeat is answered so. */
  heartbeatError: ErrorName = 'NONE';
  /** Whether a broker that asks for it is unfenced, and let go. */
  unfences = true;
  letsGo = true;
  /** Set: nothing is sent to readers of the log. */
  silent = false;
  /** Records in one message to a reader. */
  portion = Infinity;
  controllerEpoch = 1;
  readonly #records: MetadataRecord[] = [];
  readonly #readers = new Set<InStream<ResponseOf<'MetadataLog'>>>();

  constructor(runtime: Runtime) {
    runtime.network.serve({
      unary: {
        BrokerRegistration: (request, _from, answer) => answer(this.#register(request)),
        BrokerHeartbeat: (request, _from, answer) => answer(this.#heartbeat(request)),
        AlterPartition: (request, _from, answer) => void this.proposals.push({ request, answer }),
        AllocateProducerIds: (_request, _from, answer) => void this.allocations.push(answer),
        CreateTopics: (request, _from, answer) => {
          this.creations.push(request);
          this.createdTopics.push(...request.topics.map(({ name }) => name));
          answer({ topics: [] });
        },
      },
      stream: {
        MetadataLog: (stream) => ({
          message: ({ fromOffset }) => this.#read(stream, fromOffset),
          ended: () => (this.#readers.delete(stream), stream.end()),
          closed: () => void this.#readers.delete(stream),
        }),
      },
    });
  }

  /** Commits records and tells all readers. */
  commit(...records: MetadataRecord[]): void {
    const baseOffset = this.image.endOffset;
    for (const record of records) {
      this.image.apply(this.image.endOffset, record);
      this.#records.push(record);
    }
    for (const reader of this.silent ? [] : this.#readers) this.#send(reader, baseOffset);
  }

  #read(stream: InStream<ResponseOf<'MetadataLog'>>, fromOffset: number): void {
    if (this.silent) return;
    this.#readers.add(stream);
    this.#send(stream, fromOffset);
  }

  #send(stream: InStream<ResponseOf<'MetadataLog'>>, baseOffset: number): void {
    const { endOffset } = this.image;
    const { controllerEpoch, portion } = this;
    for (let from = baseOffset; from < endOffset || from === baseOffset; from += portion) {
      const records = this.#records.slice(from, from + portion);
      const snapshot = { snapshotOffset: 0, snapshotCount: 0 };
      stream.send({ baseOffset: from, records, endOffset, controllerEpoch, ...snapshot });
    }
  }

  #register(request: RequestOf<'BrokerRegistration'>): ResponseOf<'BrokerRegistration'> {
    this.registrations.push(request);
    const { controllerEpoch } = this;
    const error = this.refusals.shift() ?? 'NONE';
    const clusterId = 'cluster';
    if (error !== 'NONE') return { error, brokerEpoch: -1, clusterId, controllerEpoch };
    const { brokerId: id, incarnationId, endpoints, rack } = request;
    const brokerEpoch = this.image.endOffset;
    this.commit(registerBrokerRecord({ id, incarnationId, brokerEpoch, fenced: true, rack }, endpoints));
    return { error, brokerEpoch, clusterId, controllerEpoch };
  }

  #heartbeat(request: RequestOf<'BrokerHeartbeat'>): ResponseOf<'BrokerHeartbeat'> {
    this.heartbeats.push(request);
    const { controllerEpoch, heartbeatError: error } = this;
    const broker = this.image.brokers.get(request.brokerId)!;
    const isCaughtUp = request.currentMetadataOffset > broker.registrationOffset;
    if (broker.fenced && this.unfences && isCaughtUp && !request.wantFence) this.#setFenced(request.brokerId, false);
    const isFenced = this.image.brokers.get(request.brokerId)!.fenced;
    const shouldShutDown = request.wantShutDown && this.letsGo;
    const { endOffset: metadataEndOffset } = this.image;
    return { error, isCaughtUp, isFenced, shouldShutDown, controllerEpoch, metadataEndOffset };
  }

  #setFenced(id: NodeId, fenced: boolean): void {
    this.commit(registrationChangeRecord(this.image.brokers.get(id)!, { fenced }));
  }
}
