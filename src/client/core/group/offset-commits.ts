// Commits offsets of a group plainly, as a member of a generation or from outside (wire G-31 to G-34). One commit at a time and
// in order: of two that are under way the first could come last. Whether one is repeated is its caller's choice.
import type { InstantMs } from '../../../base/units.ts';
import { formatPartition } from '../../../base/units.ts';
import type { ResponseOf } from '../../../protocol/apis.ts';
import { ERRORS, type ErrorName } from '../../../protocol/errors.ts';
import type { Outcome, Random } from '../../../runtime/ports.ts';
import { backoffMs } from '../backoff.ts';
import type { OffsetToSend } from '../txn/requests.ts';
import type { CoordinatorLink, GroupSurroundings } from './coordinator-link.ts';
import type { Generation } from './membership.ts';
import { memberReaction, weightOf, type MemberReaction } from './reactions.ts';

/** A commit did not succeed, or nobody can tell. */
export interface CommitFailure {
  readonly kind: 'failed';
  readonly error: ErrorName;
  /** A sentence for people. */
  readonly message: string;
  /**
   * What the application can do: try `again`; poll, which joins the group `again after a rejoin`, and then commit what it still
   * holds; forget it, as its partitions are `lost` to others; `refused`: it asked for something wrong; `fatal`: close.
   */
  readonly errorClass: 'again' | 'rejoin' | 'lost' | 'refused' | 'fatal';
  /** True: it was not committed and never will be. */
  readonly definite: boolean;
}

export type CommitResult = { readonly kind: 'ok' } | CommitFailure;

/** Hears of every commit and of its end. */
export type CommitObserver = (offsets: readonly OffsetToSend[]) => (result: CommitResult) => void;

export interface CommitParts extends GroupSurroundings {
  readonly link: CoordinatorLink;
  /** An answer says something about the member. True: it is in a newer generation, of which the next poll tells. */
  readonly told: (reaction: MemberReaction, generation: Generation, error: ErrorName) => boolean;
  readonly observe: CommitObserver | undefined;
}

interface Commit {
  readonly offsets: readonly OffsetToSend[];
  readonly generation: Generation;
  /** Until when it is repeated; 0: it goes once. */
  readonly deadline: InstantMs;
  readonly done: (result: CommitResult) => void;
  mayHaveActed: boolean;
  failures: number;
}

export class OffsetCommits {
  readonly #parts: CommitParts;
  readonly #random: Random;
  readonly #queue: Commit[] = [];
  #underWay = false;
  #closed = false;

  constructor(parts: CommitParts) {
    this.#parts = parts;
    this.#random = parts.runtime.random.fork('client.offset-commits');
  }

  /** Whether a commit has not ended. */
  get isBusy(): boolean {
    return this.#underWay;
  }

  /** Commits for a generation. `deadline`: until when it is repeated, 0 for never. `done` is called later, once. */
  commit(
    offsets: readonly OffsetToSend[],
    by: { readonly generation: Generation; readonly deadline: InstantMs },
    done: (result: CommitResult) => void,
  ): void {
    if (offsets.length === 0 || this.#closed) {
      const result: CommitResult = offsets.length === 0 ? { kind: 'ok' } : closedFailure(true);
      this.#parts.runtime.clock.after(0, () => done(result));
      return;
    }
    const told = this.#parts.observe?.(offsets);
    const finish = (result: CommitResult): void => {
      told?.(result);
      done(result);
    };
    this.#queue.push({ offsets, ...by, done: finish, mayHaveActed: false, failures: 0 });
    this.#next();
  }

  /** Ends all commits that have not ended. */
  close(): void {
    this.#closed = true;
    for (const { done } of this.#queue.splice(0)) done(closedFailure(false));
  }

  #next(): void {
    const commit = this.#queue[0];
    if (this.#underWay || commit === undefined || this.#closed) return;
    this.#underWay = true;
    const { link, config, runtime } = this.#parts;
    const timeoutMs = config['request.timeout.ms'];
    const until = commit.deadline === 0 ? runtime.clock.now() + timeoutMs : commit.deadline;
    const { generationId, memberId } = commit.generation;
    const request = {
      ...{ groupId: config['group.id'], generationId, memberId },
      groupInstanceId: memberId === '' ? '' : config['group.instance.id'],
      ...{ hasRetentionTime: false, retentionTimeMs: 0 },
      offsets: commit.offsets.map(({ topic, partition, offset, leaderEpoch = -1, metadata = '' }) => ({
        ...{ topic, partition, offset, leaderEpoch, metadata },
      })),
    };
    link.ask(
      'OffsetCommit',
      () => request,
      { timeoutMs, until },
      (outcome) => {
        if (!this.#closed) this.#onOutcome(commit, outcome);
      },
    );
  }

  #onOutcome(commit: Commit, outcome: Outcome<ResponseOf<'OffsetCommit'>>): void {
    const { reaction, error, isPartial } = judge(commit, outcome);
    if (outcome.kind !== 'ok' || isPartial || !ERRORS[error].definite) commit.mayHaveActed = true;
    const isOvertaken = this.#parts.told(reaction, commit.generation, error);
    if (reaction === 'done') return this.#finish(commit, { kind: 'ok' });
    const { runtime, config } = this.#parts;
    if (reaction === 'again' || reaction === 'lookup') {
      commit.failures += 1;
      const delay = backoffMs(config, commit.failures, this.#random);
      if (runtime.clock.now() + delay < commit.deadline) {
        runtime.clock.after(delay, () => {
          this.#underWay = false;
          this.#next();
        });
        return;
      }
    }
    this.#finish(commit, failureOf(commit, isOvertaken ? 'rejoin' : reaction, error));
  }

  #finish(commit: Commit, result: CommitResult): void {
    if (this.#closed) return;
    this.#underWay = false;
    this.#queue.shift();
    commit.done(result);
    this.#next();
  }
}

interface Judged {
  readonly reaction: MemberReaction;
  readonly error: ErrorName;
  /** Some partitions were accepted, but not all. */
  readonly isPartial: boolean;
}

/** The answer for the partition that decides most. */
function judge({ offsets }: Commit, outcome: Outcome<ResponseOf<'OffsetCommit'>>): Judged {
  if (outcome.kind === 'timed-out') return { reaction: 'lookup', error: 'REQUEST_TIMED_OUT', isPartial: false };
  if (outcome.kind === 'disconnected') return { reaction: 'lookup', error: 'NETWORK_EXCEPTION', isPartial: false };
  const errors = new Map(
    outcome.response.partitions.map(({ topic, partition, error }) => [formatPartition(topic, partition), error]),
  );
  let worst: Omit<Judged, 'isPartial'> = { reaction: 'done', error: 'NONE' };
  for (const { topic, partition } of offsets) {
    const error = errors.get(formatPartition(topic, partition)) ?? 'UNKNOWN_SERVER_ERROR';
    const reaction = memberReaction('OffsetCommit', error);
    if (weightOf(reaction) > weightOf(worst.reaction)) worst = { reaction, error };
  }
  return { ...worst, isPartial: worst.error !== 'NONE' && [...errors.values()].includes('NONE') };
}

const CLASSES: Readonly<Partial<Record<MemberReaction, CommitFailure['errorClass']>>> = {
  again: 'again',
  lookup: 'again',
  rejoin: 'rejoin',
  unknown: 'lost',
  stale: 'lost',
  fatal: 'fatal',
};

function closedFailure(definite: boolean): CommitFailure {
  const message = 'the consumer was closed before an answer came';
  return { kind: 'failed', error: 'NETWORK_EXCEPTION', message, errorClass: 'lost', definite };
}

function failureOf({ mayHaveActed }: Commit, reaction: MemberReaction, error: ErrorName): CommitFailure {
  const errorClass = CLASSES[reaction] ?? 'refused';
  const message = `offsets were not committed: ${ERRORS[error].message}`;
  return { kind: 'failed', error, message, errorClass, definite: !mayHaveActed };
}
