// Finds offsets at the leaders of many partitions, in rounds: what could not be answered is asked again after a backoff and
// with fresh metadata, until all is answered or default.api.timeout.ms is over (repl R-37). For admins, and for what consumers are
// asked about ends; not for positions.
import type { EpochMs, InstantMs, LeaderEpoch, NodeId, Offset, TopicPartition } from '../../base/units.ts';
import { NO_LEADER } from '../../base/units.ts';
import { ERRORS, type ErrorName } from '../../protocol/errors.ts';
import type { ListedOffset } from '../../protocol/generated/index.ts';
import type { Random, Runtime } from '../../runtime/ports.ts';
import { backoffMs } from './backoff.ts';
import type { ClientConfig } from './config.ts';
import type { ClientMetadata } from './metadata.ts';

/** Which offset of which partition. -1 latest, -2 earliest, -3 largest timestamp, else the first at or after a time. */
export interface OffsetQuestion extends TopicPartition {
  readonly timestamp: EpochMs;
}

/** One answer. `offset` is -1 if there is no such record, or on error. */
export interface ListedOffsetResult extends TopicPartition {
  /** NONE, or why there is no answer. */
  readonly error: ErrorName;
  readonly offset: Offset;
  readonly timestamp: EpochMs;
  readonly leaderEpoch: LeaderEpoch;
}

/** A question, its place among all, and the last error it met. */
interface Open {
  readonly index: number;
  readonly question: OffsetQuestion;
  error: ErrorName;
}

/** What a listing works with. */
export interface ListingParts {
  readonly runtime: Runtime;
  readonly config: ClientConfig;
  readonly metadata: ClientMetadata;
  /** 0 read_uncommitted, 1 read_committed: what counts as the latest offset. */
  readonly isolationLevel: number;
}

export class OffsetListing {
  readonly #parts: ListingParts;
  readonly #random: Random;
  readonly #done: (results: readonly ListedOffsetResult[]) => void;
  readonly #results: ListedOffsetResult[] = [];
  readonly #deadline: InstantMs;
  #open: Open[];
  #rounds = 0;
  #requestCount = 0;

  constructor(
    parts: ListingParts,
    random: Random,
    questions: readonly OffsetQuestion[],
    done: (results: readonly ListedOffsetResult[]) => void,
  ) {
    this.#parts = parts;
    this.#random = random;
    this.#done = done;
    this.#deadline = parts.runtime.clock.now() + parts.config['default.api.timeout.ms'];
    this.#open = questions.map((question, index) => ({ index, question, error: 'UNKNOWN_TOPIC_OR_PARTITION' }));
  }

  start(): void {
    for (const { question } of this.#open) this.#parts.metadata.track(question.topic);
    this.#parts.runtime.clock.after(0, () => this.#round());
  }

  /** Asks every leader that is known; the round is over when all requests were answered. */
  #round(): void {
    const requests: { readonly leader: NodeId; readonly asked: Open[] }[] = [];
    for (const open of this.#open) {
      const known = this.#parts.metadata.partition(open.question.topic, open.question.partition);
      if (known === undefined || known.leader === NO_LEADER) {
        open.error = known === undefined ? 'UNKNOWN_TOPIC_OR_PARTITION' : 'LEADER_NOT_AVAILABLE';
        continue;
      }
      // A request that names a partition twice is refused (repl R-37).
      const request = requests.find(
        ({ leader, asked }) => leader === known.leader && !asked.some((one) => same(one, open)),
      );
      if (request === undefined) requests.push({ leader: known.leader, asked: [open] });
      else request.asked.push(open);
    }
    this.#requestCount = requests.length;
    if (requests.length === 0) return this.#endRound();
    for (const { leader, asked } of requests) this.#ask(leader, asked);
  }

  #ask(leader: NodeId, asked: readonly Open[]): void {
    const { runtime, config, metadata, isolationLevel } = this.#parts;
    const partitions = asked.map(({ question: { topic, partition, timestamp } }) => ({
      ...{ topic, partition, timestamp },
      currentLeaderEpoch: metadata.partition(topic, partition)?.leaderEpoch ?? -1,
    }));
    const request = { replicaId: -1, isolationLevel, partitions };
    runtime.network.request(leader, 'ListOffsets', request, config['request.timeout.ms'], (outcome) => {
      if (outcome.kind === 'ok') for (const open of asked) this.#onAnswer(open, outcome.response.partitions);
      else {
        metadata.nodeFailed(leader);
        for (const open of asked) open.error = outcome.kind === 'timed-out' ? 'REQUEST_TIMED_OUT' : 'NETWORK_EXCEPTION';
      }
      this.#requestCount -= 1;
      if (this.#requestCount === 0) this.#endRound();
    });
  }

  #onAnswer(open: Open, answers: readonly ListedOffset[]): void {
    const { topic, partition } = open.question;
    const answer = answers.find((one) => one.topic === topic && one.partition === partition);
    open.error = answer?.error ?? 'UNKNOWN_SERVER_ERROR';
    if (answer === undefined || ERRORS[answer.error].retriable) return;
    const { error, offset, timestamp, leaderEpoch } = answer;
    this.#settle(open, { topic, partition, error, offset, timestamp, leaderEpoch });
  }

  #settle(open: Open, result: ListedOffsetResult): void {
    this.#results[open.index] = result;
    this.#open = this.#open.filter((other) => other !== open);
  }

  #endRound(): void {
    const { runtime, config, metadata } = this.#parts;
    this.#rounds += 1;
    const delay = backoffMs(config, this.#rounds, this.#random);
    if (this.#open.length > 0 && runtime.clock.now() + delay < this.#deadline) {
      metadata.requestUpdate();
      runtime.clock.after(delay, () => this.#round());
      return;
    }
    for (const open of this.#open) {
      const { topic, partition } = open.question;
      this.#settle(open, { topic, partition, error: open.error, offset: -1, timestamp: -1, leaderEpoch: -1 });
    }
    this.#done(this.#results);
  }
}

function same(a: Open, b: Open): boolean {
  return a.question.topic === b.question.topic && a.question.partition === b.question.partition;
}
