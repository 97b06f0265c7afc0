// A member of a group that writes down what it was given and when that was taken away, what it read, and every commit of offsets
// and look at them. What is done with the records is its owner's.
import { formatPartition, type TopicPartition } from '../base/units.ts';
import { clientConfig, type ClientConfig } from '../client/core/config.ts';
import type { Delivery } from '../client/core/consumer-record.ts';
import type { CommittedResult } from '../client/core/group/committed-offsets.ts';
import { GroupConsumerCore, type GroupPollResult } from '../client/core/group/group-consumer.ts';
import type { CommitResult } from '../client/core/group/offset-commits.ts';
import type { ClientMetadata } from '../client/core/metadata.ts';
import type { OffsetToSend } from '../client/core/txn/requests.ts';
import type { AssignmentOp, NewEntry, PollOp } from '../history/operations.ts';
import type { Runtime } from '../runtime/ports.ts';
import { deliveredBy } from './delivered.ts';
import type { Report } from './spec.ts';

export interface MemberParts {
  readonly id: string;
  readonly group: string;
  readonly topics: readonly string[];
  readonly runtime: Runtime;
  readonly config: ClientConfig;
  readonly metadata: ClientMetadata;
  readonly report: Report;
  /** The number of the next operation of this process. */
  readonly nextOp: () => number;
}

/** Settings of a member: its group, then what the scenario says. */
export function memberConfig(
  of: { readonly group: string; readonly config: Readonly<Record<string, unknown>> },
  own: Readonly<Record<string, unknown>>,
  profile: Parameters<typeof clientConfig>[1],
): ClientConfig {
  return clientConfig({ 'auto.offset.reset': 'earliest', ...own, ...of.config, 'group.id': of.group }, profile);
}

export class RecordingMember {
  readonly #parts: MemberParts;
  readonly consumer: GroupConsumerCore;

  constructor(parts: MemberParts) {
    const { runtime, config, metadata, id, topics } = parts;
    this.#parts = parts;
    this.consumer = new GroupConsumerCore({
      ...{ runtime, config, metadata, clientId: id },
      onPosition: (of, why, from, to) => {
        this.#record({ f: 'position', type: 'info', process: id, partition: nameOf(of), why, from, to });
      },
      onCommit: (offsets) => this.#commits(offsets),
      onFetchOffsets: () => this.#looks(),
    });
    this.consumer.subscribe(topics, {
      // All that it has: what stays is the member's in this generation as well.
      assigned: (_added, proceed) => this.#changes('assigned', this.consumer.assignment, proceed),
      revoked: (partitions, proceed) => this.#changes('revoked', partitions, proceed),
      lost: (partitions, proceed) => this.#changes('lost', partitions, proceed),
    });
  }

  /** Polls, and writes down what that brought. `done` is called once, later. */
  poll(maxWaitMs: number, done: (result: GroupPollResult) => void): void {
    this.consumer.poll(maxWaitMs, (result) => {
      if (result.kind === 'ok') for (const delivery of result.deliveries) this.#delivered(delivery);
      else if (result.kind === 'failed') {
        const { failure } = result;
        this.#record({ ...this.#pollOp(failure), type: 'fail', error: failure.error });
        // Going on where the logs part is what an application would do that was told so.
        if (failure.divergentOffset !== undefined) this.consumer.seek(failure, failure.divergentOffset);
      }
      done(result);
    });
  }

  #delivered(delivery: Delivery): void {
    this.#record({ ...this.#pollOp(delivery), type: 'ok', ...deliveredBy(delivery) });
  }

  #pollOp(of: TopicPartition): Pick<PollOp, 'f' | 'process' | 'op' | 'partition' | 'group' | 'isolation'> {
    const { id, nextOp, group, config } = this.#parts;
    const isolation = config['isolation.level'] === 'read_committed' ? { isolation: 'read_committed' as const } : {};
    return { f: 'poll', process: id, op: nextOp(), partition: nameOf(of), group, ...isolation };
  }

  #changes(f: AssignmentOp['f'], partitions: readonly TopicPartition[], proceed: () => void): void {
    const { id, group } = this.#parts;
    const { memberId: member, generationId: generation, groupInstanceId } = this.consumer.groupMetadata;
    const instance = groupInstanceId === '' ? {} : { instance: groupInstanceId };
    this.#record({
      ...{ f, type: 'info', process: id, group, member, generation, ...instance },
      partitions: partitions.map(nameOf),
    });
    proceed();
  }

  #commits(offsets: readonly OffsetToSend[]): (result: CommitResult) => void {
    const { id, group, nextOp } = this.#parts;
    const { generationId: generation } = this.consumer.groupMetadata;
    const common = {
      f: 'commit-offsets',
      ...{ process: id, op: nextOp(), group },
      ...(generation < 0 ? {} : { generation }),
      offsets: Object.fromEntries(offsets.map((one) => [nameOf(one), one.offset])),
    } as const;
    this.#record({ ...common, type: 'invoke' });
    return (result) => {
      if (result.kind === 'ok') this.#record({ ...common, type: 'ok' });
      else this.#record({ ...common, type: result.definite ? 'fail' : 'info', error: result.error });
    };
  }

  #looks(): (result: CommittedResult) => void {
    const { id, group, nextOp } = this.#parts;
    const common = { f: 'fetch-offsets', process: id, op: nextOp(), group } as const;
    this.#record({ ...common, type: 'invoke' });
    return (result) => {
      if (result.kind === 'failed') return this.#record({ ...common, type: 'fail', error: result.error });
      const offsets = Object.fromEntries(result.offsets.map((one) => [nameOf(one), one.offset]));
      return this.#record({ ...common, type: 'ok', offsets });
    };
  }

  #record(entry: NewEntry): void {
    this.#parts.report({ kind: 'entry', entry });
  }
}

function nameOf({ topic, partition }: TopicPartition): string {
  return formatPartition(topic, partition);
}
