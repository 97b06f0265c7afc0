// What the leader of a group does besides reading: it waits until it knows the topics of all members, lets the chosen assignor
// decide, and asks for a new generation when the number of partitions changes.
import type { JoinedMember, MemberAssignment } from '../../../protocol/generated/index.ts';
import type { AssignedMember, Assignor } from './assignor.ts';
import { decodeSubscription, encodeAssignment } from './consumer-protocol.ts';
import type { GroupSurroundings } from './coordinator-link.ts';

export class GroupLeader {
  readonly #parts: GroupSurroundings;
  readonly #assignors: readonly Assignor[];
  /** Partition counts of the assignment at hand; 0 for topics that are not there. */
  #counts = new Map<string, number>();

  constructor(parts: GroupSurroundings, assignors: readonly Assignor[]) {
    this.#parts = parts;
    this.#assignors = assignors;
  }

  /** Decides who gets what. Undefined: it does not know the protocol, or cannot read a member. */
  assign(
    protocol: string,
    joined: readonly JoinedMember[],
    done: (assignments: readonly MemberAssignment[] | undefined) => void,
  ): void {
    const assignor = this.#assignors.find(({ name }) => name === protocol);
    const members = joined.map(memberOf);
    if (assignor === undefined || !members.every((member) => member !== undefined)) {
      this.#counts.clear();
      return done(undefined);
    }
    const topics = new Set(members.flatMap((member) => member.topics));
    this.#whenKnown(topics, () => {
      this.#counts = new Map([...topics].map((topic) => [topic, this.#countOf(topic)]));
      const known = new Map([...this.#counts].filter(([, count]) => count > 0));
      const inHaste = !this.#parts.runtime.safeguard('group.ownership');
      const assignments = assignor.assign(known, members, inHaste);
      done(
        [...assignments].map(([memberId, partitions]) => {
          return { memberId, assignment: encodeAssignment({ partitions, userData: null }) };
        }),
      );
    });
  }

  /** Whether topics are not what they were when it assigned. Asks for news of those that are not there. */
  hasNews(): boolean {
    let news = false;
    for (const [topic, count] of this.#counts) {
      const now = this.#countOf(topic);
      // An error does not take partitions away: it may be of a broker that is behind.
      if (now > 0 && now !== count) news = true;
      if (now === 0) this.#parts.metadata.requestUpdate();
    }
    return news;
  }

  #countOf(topic: string): number {
    return this.#parts.metadata.topic(topic)?.partitions.length ?? 0;
  }

  /** Whether they exist or not: once a broker has answered for each, or after a while. */
  #whenKnown(topics: ReadonlySet<string>, run: () => void): void {
    const { metadata, config } = this.#parts;
    for (const topic of topics) metadata.track(topic);
    const isKnown = (): boolean => [...topics].every((topic) => metadata.topic(topic) !== undefined);
    if (isKnown()) return run();
    metadata.when(isKnown, config['request.timeout.ms'], run);
  }
}

function memberOf({ memberId, groupInstanceId, metadata }: JoinedMember): AssignedMember | undefined {
  const subscription = decodeSubscription(metadata);
  return subscription === undefined ? undefined : { ...subscription, memberId, instanceId: groupInstanceId };
}
