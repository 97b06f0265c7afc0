// Asks what is committed for a group, always stably: while a transaction that commits an offset is undecided, it is asked again
// (txn T-70). Also finds where newly assigned partitions begin.
import type { InstantMs, TopicPartition } from '../../../base/units.ts';
import { ERRORS, type ErrorName } from '../../../protocol/errors.ts';
import type { ResponseOf } from '../../../protocol/apis.ts';
import type { CommittedOffset } from '../../../protocol/generated/index.ts';
import type { Outcome, Random } from '../../../runtime/ports.ts';
import { backoffMs } from '../backoff.ts';
import type { ConsumerCore } from '../consumer.ts';
import type { CoordinatorLink, GroupSurroundings } from './coordinator-link.ts';
import { memberReaction, weightOf, type MemberReaction } from './reactions.ts';

/** What is committed, by partition in the order asked (-1: nothing), or why nobody can tell. */
export type CommittedResult =
  | { readonly kind: 'ok'; readonly offsets: readonly CommittedOffset[] }
  | { readonly kind: 'failed'; readonly error: ErrorName; readonly message: string };

/** Hears of every question and of its answer. */
export type FetchObserver = (partitions: readonly TopicPartition[]) => (result: CommittedResult) => void;

export interface CommittedParts extends GroupSurroundings {
  readonly link: CoordinatorLink;
  readonly observe: FetchObserver | undefined;
}

/** How long a question is repeated. */
interface Until {
  readonly deadline: InstantMs;
  /** In a row so far. */
  readonly failures: number;
  /** Whether nobody wants to know any more. */
  readonly stop: () => boolean;
}

const CLOSED: CommittedResult = {
  ...{ kind: 'failed', error: 'NETWORK_EXCEPTION' },
  message: 'the consumer was closed before an answer came',
};

export class CommittedOffsets {
  readonly #parts: CommittedParts;
  readonly #random: Random;
  #closed = false;
  /** Questions that are not answered. */
  readonly #open = new Set<(result: CommittedResult) => void>();
  /** Counts assignments: an answer for an older one may be of before somebody else committed. */
  #assignment = 0;
  #isFinding = false;

  constructor(parts: CommittedParts) {
    this.#parts = parts;
    this.#random = parts.runtime.random.fork('client.committed-offsets');
  }

  /** Asks until it is told or `deadline` is over. `done` is called once, later. */
  fetch(partitions: readonly TopicPartition[], deadline: InstantMs, done: (result: CommittedResult) => void): void {
    if (this.#closed) this.#parts.runtime.clock.after(0, () => done(CLOSED));
    else this.#ask(partitions, { deadline, failures: 0, stop: () => false }, done);
  }

  /** Partitions were assigned: those that wait begin at what is committed, or by policy. `failed` hears what nobody mends. */
  findStarts(consumer: ConsumerCore, failed: (error: ErrorName, message: string) => void): void {
    if (this.#closed) return;
    this.#assignment += 1;
    this.#find(consumer, failed);
  }

  /** Ends all questions that are not answered. */
  close(): void {
    this.#closed = true;
    for (const end of [...this.#open]) end(CLOSED);
  }

  #ask(partitions: readonly TopicPartition[], until: Until, done: (result: CommittedResult) => void): void {
    const told = this.#parts.observe?.(partitions);
    const end = (result: CommittedResult): void => {
      this.#open.delete(end);
      told?.(result);
      done(result);
    };
    this.#open.add(end);
    this.#attempt(partitions, until, end);
  }

  #find(consumer: ConsumerCore, failed: (error: ErrorName, message: string) => void): void {
    const assignment = this.#assignment;
    const partitions = consumer.waiting;
    if (this.#isFinding || partitions.length === 0) return;
    this.#isFinding = true;
    const isOld = (): boolean => assignment !== this.#assignment;
    this.#ask(partitions, { deadline: Infinity, failures: 0, stop: isOld }, (result) => {
      this.#isFinding = false;
      if (this.#closed) return;
      if (isOld()) return this.#find(consumer, failed);
      if (result.kind === 'failed') return failed(result.error, result.message);
      for (const { topic, partition, offset, leaderEpoch } of result.offsets) {
        if (offset >= 0) consumer.start({ topic, partition }, offset, leaderEpoch < 0 ? undefined : leaderEpoch);
        else consumer.start({ topic, partition });
      }
    });
  }

  #attempt(partitions: readonly TopicPartition[], until: Until, done: (result: CommittedResult) => void): void {
    const { link, runtime, config } = this.#parts;
    const request = {
      ...{ groupId: config['group.id'], allPartitions: false, requireStable: true },
      partitions: partitions.map(({ topic, partition }) => ({ topic, partition })),
    };
    link.ask(
      'OffsetFetch',
      () => request,
      { timeoutMs: config['request.timeout.ms'], until: until.deadline },
      (outcome) => {
        if (this.#closed) return;
        const { reaction, error } = judge(outcome);
        if (reaction === 'lookup') link.lost();
        if (reaction === 'done' && outcome.kind === 'ok') {
          return done({ kind: 'ok', offsets: inOrderOf(partitions, outcome.response) });
        }
        const failures = until.failures + 1;
        const delay = backoffMs(config, failures, this.#random);
        const isRepeated = reaction === 'again' || reaction === 'lookup';
        if (!isRepeated || until.stop() || runtime.clock.now() + delay >= until.deadline) {
          return done({ kind: 'failed', error, message: `committed offsets: ${ERRORS[error].message}` });
        }
        runtime.clock.after(delay, () => {
          if (!this.#closed) this.#attempt(partitions, { ...until, failures }, done);
        });
      },
    );
  }
}

function judge(outcome: Outcome<ResponseOf<'OffsetFetch'>>): { reaction: MemberReaction; error: ErrorName } {
  if (outcome.kind === 'timed-out') return { reaction: 'lookup', error: 'REQUEST_TIMED_OUT' };
  if (outcome.kind === 'disconnected') return { reaction: 'lookup', error: 'NETWORK_EXCEPTION' };
  const { error, partitions } = outcome.response;
  let worst = { reaction: memberReaction('OffsetFetch', error), error };
  for (const one of partitions) {
    const reaction = memberReaction('OffsetFetch', one.error);
    if (weightOf(reaction) > weightOf(worst.reaction)) worst = { reaction, error: one.error };
  }
  return worst;
}

function inOrderOf(asked: readonly TopicPartition[], { partitions }: ResponseOf<'OffsetFetch'>): CommittedOffset[] {
  return asked.map(({ topic, partition }) => {
    const found = partitions.find((one) => one.topic === topic && one.partition === partition);
    return found ?? { topic, partition, offset: -1, leaderEpoch: -1, metadata: '', error: 'NONE' };
  });
}
