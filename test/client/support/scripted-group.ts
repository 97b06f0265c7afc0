// A group coordinator by script, for answers that real ones give rarely: it takes everybody for the only member of a group, and
// errs as it is told, request by request.
import { encodeAssignment } from '../../../src/client/core/group/consumer-protocol.ts';
import { clientConfig } from '../../../src/client/core/config.ts';
import { GroupConsumerCore, type GroupPollResult } from '../../../src/client/core/group/group-consumer.ts';
import { ClientMetadata } from '../../../src/client/core/metadata.ts';
import type { RequestOf, ResponseOf, UnaryApi } from '../../../src/protocol/apis.ts';
import type { ErrorName } from '../../../src/protocol/errors.ts';
import type { Runtime } from '../../../src/runtime/ports.ts';
import { World } from '../../../src/sim/world.ts';

type Api = 'FindCoordinator' | 'JoinGroup' | 'SyncGroup' | 'Heartbeat' | 'LeaveGroup' | 'OffsetCommit' | 'OffsetFetch';
type Asked = { readonly api: Api; readonly request: RequestOf<Api>; readonly at: number };

const TOPIC = 'orders';
const T0 = { topic: TOPIC, partition: 0 };
const BROKER = 1;

export class ScriptedGroup {
  readonly world = new World({ seed: 1, network: { codecSample: 1 } });
  readonly asked: Asked[] = [];
  /** "assigned", "revoked", "lost": in order. */
  readonly heard: string[] = [];
  readonly failures: string[] = [];
  readonly member: GroupConsumerCore;
  generation = 0;
  committed = 5;
  readonly #script: { readonly api: Api; readonly error: ErrorName | 'silence' }[] = [];
  #given = 0;

  constructor(config: Record<string, unknown> = {}) {
    this.world.spawn(BROKER, (runtime) => this.#serve(runtime));
    const settings = clientConfig({ 'group.id': 'g', 'enable.auto.commit': false, ...config }, 'fast');
    this.member = this.world.spawn(1001, (runtime) => {
      const metadata = new ClientMetadata(runtime, settings, [BROKER]);
      const member = new GroupConsumerCore({ runtime, config: settings, metadata, clientId: 'm' });
      const hear = (what: string) => (_partitions: readonly object[], proceed: () => void) => {
        this.heard.push(what);
        proceed();
      };
      member.subscribe([TOPIC], { assigned: hear('assigned'), revoked: hear('revoked'), lost: hear('lost') });
      const poll = (): void => member.poll(1000, take);
      const take = (result: GroupPollResult): void => {
        if (result.kind === 'group-failed') this.failures.push(result.failure.error);
        runtime.clock.after(result.kind === 'group-failed' ? 500 : 0, poll);
      };
      poll();
      return member;
    });
  }

  /** The next request of this kind is answered so, or not at all. */
  next(api: Api, error: ErrorName | 'silence'): void {
    this.#script.push({ api, error });
  }

  /** Names of the requests since the last time this was asked; heartbeats left out. */
  news(): string[] {
    const names = this.asked.filter(({ api }) => api !== 'Heartbeat').map(({ api }) => api);
    this.asked.length = 0;
    return names;
  }

  settle(): void {
    if (!this.world.run({ until: () => this.member.isSettled, maxMs: 120_000 })) throw new Error('it does not settle');
  }

  #serve(runtime: Runtime): void {
    const answering =
      <A extends Api & UnaryApi>(api: A, answer: (request: RequestOf<A>, error: ErrorName) => ResponseOf<A>) =>
      (request: RequestOf<A>, _from: number, done: (response: ResponseOf<A>) => void): void => {
        this.asked.push({ api, request: request as RequestOf<Api>, at: runtime.clock.now() });
        const index = this.#script.findIndex((one) => one.api === api);
        const error = index < 0 ? 'NONE' : this.#script.splice(index, 1)[0]!.error;
        if (error !== 'silence') done(answer(request, error));
      };
    const leader = { leader: BROKER, leaderEpoch: 0, replicas: [BROKER], isr: [BROKER], offlineReplicas: [] };
    runtime.network.serve({
      stream: {},
      unary: {
        Metadata: (_request, _from, answer) =>
          answer({
            ...{ clusterId: 'c', metadataOffset: 1, transactionVersion: 2 },
            brokers: [
              { id: BROKER, fenced: false, brokerEpoch: 1, inControlledShutdown: false, rack: '', endpoints: [] },
            ],
            topics: [
              {
                ...{ error: 'NONE', name: TOPIC, topicId: 'topic-id-of-orders-000', isInternal: false, configs: [] },
                partitions: [
                  {
                    ...{ ...leader, partition: 0, error: 'NONE', partitionEpoch: 0, leaderRecoveryState: 'RECOVERED' },
                    ...{ elr: [], lastKnownElr: [], addingReplicas: [], removingReplicas: [] },
                  },
                ],
              },
            ],
          }),
        // Nothing is ever there to be read.
        ConsumerFetch: () => undefined,
        FindCoordinator: answering('FindCoordinator', ({ keys }, error) => ({
          coordinators: keys.map((key) => ({ key, error, nodeId: BROKER, partition: 0 })),
        })),
        JoinGroup: answering('JoinGroup', ({ memberId, protocols }, error) => {
          const isNamed = error === 'MEMBER_ID_REQUIRED';
          const id = memberId === '' || error === 'UNKNOWN_MEMBER_ID' ? `m-${isNamed ? ++this.#given : 0}` : memberId;
          if (error === 'NONE') this.generation += 1;
          return {
            ...{ error, generationId: error === 'NONE' ? this.generation : -1, protocolType: 'consumer' },
            ...{ protocolName: protocols[0]!.name, leader: id, memberId: id, skipAssignment: false },
            members: [{ memberId: id, groupInstanceId: '', metadata: protocols[0]!.metadata }],
          };
        }),
        SyncGroup: answering('SyncGroup', (_request, error) => ({
          ...{ error, protocolType: 'consumer', protocolName: 'range' },
          assignment: encodeAssignment({ partitions: [T0], userData: null }),
        })),
        Heartbeat: answering('Heartbeat', (_request, error) => ({ error })),
        LeaveGroup: answering('LeaveGroup', (_request, error) => ({ error, members: [] })),
        OffsetCommit: answering('OffsetCommit', ({ offsets }, error) => ({
          partitions: offsets.map(({ topic, partition }) => ({ topic, partition, error })),
        })),
        OffsetFetch: answering('OffsetFetch', ({ partitions }, error) => ({
          error: error === 'UNSTABLE_OFFSET_COMMIT' ? 'NONE' : error,
          partitions: partitions.map(({ topic, partition }) => ({
            ...{ topic, partition, offset: error === 'NONE' ? this.committed : -1, leaderEpoch: -1, metadata: '' },
            error: error === 'UNSTABLE_OFFSET_COMMIT' ? error : 'NONE',
          })),
        })),
      },
    });
  }
}
