// Who leads, for answers to clients that asked the wrong broker (KIP-951, wire W-62): only with `kafka.leader.hints`. Taken
// from the same metadata, and with the same addresses, as the listener's Metadata answers.
import type { Tag, Writer } from '../../base/field-writer.ts';
import type { ResponseOf } from '../../protocol/apis.ts';
import { KAFKA_ENDPOINT } from '../../protocol/listeners.ts';
import type { Call } from './api.ts';
import { rackOf } from './kafka-brokers.ts';

/** The leader of a partition. */
export interface CurrentLeader {
  readonly leaderId: number;
  readonly leaderEpoch: number;
}
/** Where a broker is reached. */
export interface NodeEndpoint {
  readonly nodeId: number;
  readonly host: string;
  readonly port: number;
  readonly rack: string | null;
}

/** What an answer says of the leaders that its client should have asked. */
export interface LeaderHints {
  /** Null: nobody leads, or no hint is wanted. */
  leaderOf(topic: string, partition: number): CurrentLeader | null;
  /** Of the leaders told so far, each once. */
  endpoints(): readonly NodeEndpoint[];
}

export const NO_HINTS: LeaderHints = { leaderOf: () => null, endpoints: () => [] };

/** Looks up who leads partitions of these topics; without topics, or with hints off, at once and in vain. */
export function leaderHints(call: Call, topics: readonly string[], done: (hints: LeaderHints) => void): void {
  if (!call.profile.leaderHints || topics.length === 0) return done(NO_HINTS);
  const request = { allTopics: false, topics: [...new Set(topics)], allowAutoTopicCreation: false };
  call.broker.metadata(request, (response) => done(hintsIn(response)));
}

function hintsIn({ brokers, topics }: ResponseOf<'Metadata'>): LeaderHints {
  const told = new Set<number>();
  return {
    leaderOf: (topic, partition) => {
      const found = topics.find(({ name }) => name === topic)?.partitions.find((each) => each.partition === partition);
      if (found === undefined || found.leader < 0) return null;
      told.add(found.leader);
      return { leaderId: found.leader, leaderEpoch: found.leaderEpoch };
    },
    endpoints: () =>
      brokers.flatMap(({ id, endpoints, rack }) => {
        const endpoint = told.has(id) ? endpoints.find(({ name }) => name === KAFKA_ENDPOINT) : undefined;
        return endpoint === undefined
          ? []
          : [{ nodeId: id, host: endpoint.host, port: endpoint.port, rack: rackOf(rack) }];
      }),
  };
}

/** As the tag of this number; nothing if nobody is told of. */
export function currentLeaderTag(number: number, leader: CurrentLeader | null): readonly Tag[] {
  if (leader === null) return [];
  return [{ number, write: (tag) => tag.int32(leader.leaderId).int32(leader.leaderEpoch).tags() }];
}

/** As tag 0 of a whole response; nothing if there are none. */
export function nodeEndpointsTag(endpoints: readonly NodeEndpoint[]): readonly Tag[] {
  if (endpoints.length === 0) return [];
  const write = (tag: Writer): void => {
    tag.structs(endpoints, ({ nodeId, host, port, rack }) => {
      tag.int32(nodeId).string(host).int32(port).nullableString(rack);
    });
  };
  return [{ number: 0, write }];
}
