// Administration of consumer groups and their offsets: each broker is asked for the list, coordinators for the rest (wire
// G-35 to G-39). Refusals that belong to one group or partition are inside the answers.
import type { DurationMs, NodeId, TopicPartition } from '../../base/units.ts';
import type { RequestOf, ResponseOf, UnaryApi } from '../../protocol/apis.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type {
  CommittedOffset,
  CommittedOutcome,
  DeletedGroup,
  DescribedGroup,
  ListedGroup,
} from '../../protocol/generated/index.ts';
import { all, map, type AdminCalls, type Done, type Question, type SilentBroker, type Survey } from './admin-calls.ts';

export interface GroupListing {
  /** By coordinator. */
  readonly groups: readonly (ListedGroup & { readonly coordinator: NodeId })[];
  /** Brokers that told nothing: what they coordinate is missing. Empty unless the caller's patience was limited. */
  readonly silent: readonly SilentBroker[];
}

export class GroupAdmin {
  readonly #calls: AdminCalls;

  constructor(calls: AdminCalls) {
    this.#calls = calls;
  }

  /** The groups of all coordinators (wire G-39). One that is silent fails it, or after `patienceMs` is named. */
  list(
    filter: { readonly states?: readonly string[]; readonly types?: readonly string[] },
    done: Done<GroupListing>,
    patienceMs?: DurationMs,
  ): void {
    const request = { states: [...(filter.states ?? [])], types: [...(filter.types ?? [])] };
    const question: Question<'ListGroups'> = { api: 'ListGroups', request, errorOf: ({ error }) => error };
    const listing = ({ answers, silent }: Survey<ResponseOf<'ListGroups'>>): GroupListing => ({
      groups: answers.flatMap(({ node, response }) => response.groups.map((one) => ({ ...one, coordinator: node }))),
      silent,
    });
    this.#calls.atEachBroker(question, patienceMs, (result) => done(map(result, listing)));
  }

  /** Groups in the order asked; one that does not exist is "Dead" (wire G-38). */
  describe(groupIds: readonly string[], done: Done<readonly DescribedGroup[]>): void {
    const one = (id: string, told: Done<DescribedGroup>): void =>
      this.#ask(
        id,
        { api: 'DescribeGroups', request: { groupIds: [id] } },
        ({ groups }) => groups[0]?.error,
        (result) => told(map(result, ({ groups }) => groups[0]!)),
      );
    all(groupIds, one, done);
  }

  /** Committed offsets of a group: of these partitions, or all that it has (wire G-35). */
  offsets(
    groupId: string,
    of: { readonly partitions?: readonly TopicPartition[]; readonly requireStable?: boolean },
    done: Done<readonly CommittedOffset[]>,
  ): void {
    const { partitions, requireStable = false } = of;
    const request = {
      ...{ groupId, requireStable, allPartitions: partitions === undefined },
      partitions: named(partitions ?? []),
    };
    const errorOf = ({ error, partitions: answers }: ResponseOf<'OffsetFetch'>): ErrorName =>
      answers.some((one) => one.error === 'UNSTABLE_OFFSET_COMMIT') ? 'UNSTABLE_OFFSET_COMMIT' : error;
    this.#calls.atCoordinator({ type: 'group', name: groupId }, { api: 'OffsetFetch', request, errorOf }, (result) =>
      done(map(result, (response) => response.partitions)),
    );
  }

  /** Deletes groups without members, with their offsets (wire G-37). In the order asked. */
  delete(groupIds: readonly string[], done: Done<readonly DeletedGroup[]>): void {
    const one = (id: string, told: Done<DeletedGroup>): void =>
      this.#ask(
        id,
        { api: 'DeleteGroups', request: { groupIds: [id] } },
        ({ groups }) => groups[0]?.error,
        (result) => told(map(result, ({ groups }) => groups[0]!)),
      );
    all(groupIds, one, done);
  }

  /** Deletes committed offsets of a group (wire G-36). */
  deleteOffsets(groupId: string, partitions: readonly TopicPartition[], done: Done<readonly CommittedOutcome[]>): void {
    const request = { groupId, partitions: named(partitions) };
    const question = {
      api: 'OffsetDelete',
      request,
      errorOf: ({ error }: ResponseOf<'OffsetDelete'>) => error,
    } as const;
    this.#calls.atCoordinator({ type: 'group', name: groupId }, question, (result) =>
      done(map(result, (response) => response.partitions)),
    );
  }

  /** Asks the coordinator of one group. What is wrong with the group itself is an answer. */
  #ask<A extends UnaryApi>(
    groupId: string,
    question: { readonly api: A; readonly request: RequestOf<A> },
    errorOf: (response: ResponseOf<A>) => ErrorName | undefined,
    done: Done<ResponseOf<A>>,
  ): void {
    const moved = (response: ResponseOf<A>): ErrorName => {
      const error = errorOf(response) ?? 'UNKNOWN_SERVER_ERROR';
      return MOVED.has(error) ? error : 'NONE';
    };
    this.#calls.atCoordinator({ type: 'group', name: groupId }, { ...question, errorOf: moved }, done);
  }
}

/** Errors that mean another coordinator, or a later time. */
const MOVED: ReadonlySet<ErrorName> = new Set<ErrorName>([
  ...(['NOT_COORDINATOR', 'COORDINATOR_NOT_AVAILABLE', 'COORDINATOR_LOAD_IN_PROGRESS'] as const),
  'UNKNOWN_SERVER_ERROR',
]);

function named(partitions: readonly TopicPartition[]): { topic: string; partition: number }[] {
  return partitions.map(({ topic, partition }) => ({ topic, partition }));
}
