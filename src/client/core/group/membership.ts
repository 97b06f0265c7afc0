// One member of a group (wire sections 9 to 11, from the other side): joins, synchronises, lives, leaves. It moves on only when
// told to join; what it was given waits until it is taken. Knows nothing of partitions, positions or polls.
import type { ResponseOf } from '../../../protocol/apis.ts';
import { ERRORS, type ErrorName } from '../../../protocol/errors.ts';
import type { GroupProtocol, JoinedMember, MemberAssignment } from '../../../protocol/generated/index.ts';
import type { Outcome, Random, Timer } from '../../../runtime/ports.ts';
import { backoffMs } from '../backoff.ts';
import type { CoordinatorLink, GroupSurroundings } from './coordinator-link.ts';
import { Heartbeats } from './heartbeats.ts';
import { heartbeatRequest, joinRequest, leaveRequest, rebalanceRequestMs, syncRequest } from './member-requests.ts';
import { memberReaction, type MemberReaction } from './reactions.ts';

/** `unjoined`: in no generation. `joining`: asks for one. `syncing`: in one, and waits for its assignment. */
export type MemberState = 'unjoined' | 'joining' | 'syncing' | 'stable';

/** Who it is in the group, and since when. */
export interface Generation {
  /** -1: none. */
  readonly generationId: number;
  /** Empty: the coordinator gives one. */
  readonly memberId: string;
  /** The assignor that the group has chosen. */
  readonly protocol: string;
}

/** Why a member cannot go on. */
export interface GroupFailure {
  readonly error: ErrorName;
  /** A sentence for people. */
  readonly message: string;
  /** True: it can do nothing more. False: it tries again when it is asked to. */
  readonly fatal: boolean;
}

/** What it was given, as bytes of its protocol. */
export interface Synced {
  readonly generation: Generation;
  readonly assignment: Buffer;
}

export interface MembershipParts extends GroupSurroundings {
  readonly link: CoordinatorLink;
  readonly clientId: string;
  /** What it supports, in order of preference, with what it says under each. Asked at each join. */
  readonly protocols: (generation: Generation) => readonly GroupProtocol[];
  /** It leads: who gets what? May be answered later. Undefined: it cannot tell, and the generation fails. */
  readonly lead: (
    protocol: string,
    members: readonly JoinedMember[],
    done: (assignments: readonly MemberAssignment[] | undefined) => void,
  ) => void;
  /** Whether the application waits in a poll, and not for a listener of its own. */
  readonly isPolling: () => boolean;
  /** Something changed that the application's next poll acts on. */
  readonly onNews: () => void;
}

const NOBODY: Generation = { generationId: -1, memberId: '', protocol: '' };

export class Membership {
  readonly #parts: MembershipParts;
  readonly #heartbeats: Heartbeats;
  readonly #random: Random;
  #state: MemberState = 'unjoined';
  #generation: Generation = NOBODY;
  #needsJoin = true;
  #isLeader = false;
  #synced: Synced | undefined;
  #failure: GroupFailure | undefined;
  #heartbeatUnderWay = false;
  /** Counts joins and resets: an answer to an older one is void. */
  #attempt = 0;
  #failures = 0;
  #retry: Timer | undefined;
  #closed = false;

  constructor(parts: MembershipParts) {
    const { clock, random } = parts.runtime;
    this.#parts = parts;
    this.#random = random.fork('client.membership');
    this.#heartbeats = new Heartbeats(clock, parts.config, {
      due: () => this.#heartbeat(),
      sessionExpired: () => parts.link.lost(),
      pollExpired: () => this.#leaveBehindItsBack(),
    });
  }

  get state(): MemberState {
    return this.#state;
  }

  get generation(): Generation {
    return this.#generation;
  }

  /** Whether it leads the generation at hand. */
  get isLeader(): boolean {
    return this.#isLeader;
  }

  /** Whether it has to join, and is not about to. */
  get needsJoin(): boolean {
    return this.#needsJoin && this.#retry === undefined && this.#state !== 'joining' && this.#state !== 'syncing';
  }

  /** Whether it is in a generation that nobody has told it is over, and what it was given was taken. */
  get isSettled(): boolean {
    return this.#state === 'stable' && !this.#needsJoin && this.#synced === undefined;
  }

  /** Why it cannot go on. What is not fatal is told once. */
  takeFailure(): GroupFailure | undefined {
    const failure = this.#failure;
    if (failure?.fatal !== true) this.#failure = undefined;
    return failure;
  }

  /** Whether a failure waits to be told. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** What it was given in its newest generation, once. */
  takeSynced(): Synced | undefined {
    const synced = this.#synced;
    this.#synced = undefined;
    return synced;
  }

  /** A poll of the application begins or ends. */
  polled(): void {
    if (!this.#closed && this.#failure?.fatal !== true) this.#heartbeats.polled();
  }

  /** Joins, if it needs to. */
  join(): void {
    if (!this.needsJoin || this.#closed || this.#failure?.fatal === true) return;
    this.#state = 'joining';
    this.#synced = undefined;
    this.#heartbeats.stop();
    const attempt = ++this.#attempt;
    const { link, config } = this.#parts;
    const timeoutMs = rebalanceRequestMs(config);
    link.ask(
      'JoinGroup',
      () => joinRequest(this.#parts, this.#generation),
      { timeoutMs },
      (outcome) => {
        if (attempt === this.#attempt) this.#onJoin(outcome);
      },
    );
  }

  /** Another generation is needed: subscriptions or topics have changed, or something was given up. */
  requestRejoin(): void {
    this.#needsJoin = true;
    this.#parts.onNews();
  }

  /** A request of this generation was answered so. True: it is in a newer one already, which its application was not told of. */
  told(reaction: MemberReaction, generation: Generation, error: ErrorName): boolean {
    const { generationId, memberId } = this.#generation;
    if (reaction === 'lookup') this.#parts.link.lost();
    if (memberId !== generation.memberId) return false;
    if (generationId !== generation.generationId) return generationId > generation.generationId;
    if (reaction === 'fatal') this.#fail(error, true);
    else if (reaction === 'unknown') this.#reset(NOBODY);
    else if (reaction === 'stale') this.#reset({ ...NOBODY, memberId: this.#generation.memberId });
    else if (reaction === 'rejoin' && this.#state === 'stable') this.#needsJoin = true;
    this.#parts.onNews();
    return false;
  }

  /** Says good-bye, unless it is static: its place is kept for it. `done` is called once that was answered or given up. */
  leave(done: () => void): void {
    this.close();
    const isKnown = this.#generation.memberId !== '' && this.#failure?.fatal !== true;
    if (isKnown && this.#parts.config['group.instance.id'] === '') this.#sendLeave(done);
    else this.#parts.runtime.clock.after(0, done);
  }

  /** Stops without a word. */
  close(): void {
    this.#closed = true;
    this.#attempt += 1;
    this.#retry?.cancel();
    this.#heartbeats.close();
  }

  #onJoin(outcome: Outcome<ResponseOf<'JoinGroup'>>): void {
    if (outcome.kind !== 'ok') return this.#again('lookup');
    const { error, memberId, generationId, protocolName } = outcome.response;
    const reaction = memberReaction('JoinGroup', error);
    if (reaction !== 'done') return this.#onRefusal(reaction, error, memberId);
    this.#generation = { generationId, memberId, protocol: protocolName };
    this.#isLeader = outcome.response.leader === memberId;
    this.#state = 'syncing';
    this.#heartbeats.start();
    const attempt = this.#attempt;
    if (!this.#isLeader) return this.#sync([]);
    // A leader that came back under a new id need not assign: who has what stays (wire G-23).
    const { members, skipAssignment } = outcome.response;
    this.#parts.lead(protocolName, members, (assignments) => {
      if (attempt !== this.#attempt) return;
      if (assignments === undefined) this.#onRefusal('refused', 'INCONSISTENT_GROUP_PROTOCOL', memberId);
      else this.#sync(skipAssignment ? [] : assignments);
    });
  }

  #sync(assignments: readonly MemberAssignment[]): void {
    const { link, config } = this.#parts;
    const attempt = this.#attempt;
    const generation = this.#generation;
    const timeoutMs = rebalanceRequestMs(config);
    link.ask(
      'SyncGroup',
      () => syncRequest(config, generation, assignments),
      { timeoutMs },
      (outcome) => {
        if (attempt === this.#attempt) this.#onSync(outcome, generation);
      },
    );
  }

  #onSync(outcome: Outcome<ResponseOf<'SyncGroup'>>, generation: Generation): void {
    if (outcome.kind !== 'ok') return this.#again('lookup');
    const { error, assignment } = outcome.response;
    const reaction = memberReaction('SyncGroup', error);
    if (reaction !== 'done') return this.#onRefusal(reaction, error, generation.memberId);
    this.#failures = 0;
    this.#state = 'stable';
    this.#needsJoin = false;
    this.#synced = { generation, assignment: Buffer.from(assignment) };
    this.#parts.onNews();
  }

  /** A JoinGroup or SyncGroup was refused: this generation does not come about for it. */
  #onRefusal(reaction: MemberReaction, error: ErrorName, memberId: string): void {
    switch (reaction) {
      case 'named':
        this.#reset({ ...NOBODY, memberId });
        return this.join();
      case 'unknown':
      case 'stale':
        this.#reset({ ...NOBODY, memberId: reaction === 'unknown' ? '' : this.#generation.memberId });
        return this.#parts.onNews();
      case 'rejoin':
        this.#state = 'unjoined';
        this.#needsJoin = true;
        return this.#parts.onNews();
      case 'again':
      case 'lookup':
        return this.#again(reaction);
      default:
        this.#state = 'unjoined';
        this.#fail(error, reaction === 'fatal');
        this.#parts.onNews();
    }
  }

  /** Joins again after a while, as soon as a poll lets it. */
  #again(how: 'again' | 'lookup'): void {
    const { link, runtime, config, onNews } = this.#parts;
    if (how === 'lookup') link.lost();
    this.#state = 'unjoined';
    this.#needsJoin = true;
    this.#failures += 1;
    this.#heartbeats.stop();
    this.#retry = runtime.clock.after(backoffMs(config, this.#failures, this.#random), () => {
      this.#retry = undefined;
      onNews();
    });
  }

  /** It is in no generation any more, whatever was under way. */
  #reset(generation: Generation): void {
    this.#attempt += 1;
    this.#retry?.cancel();
    this.#retry = undefined;
    this.#state = 'unjoined';
    this.#generation = generation;
    this.#synced = undefined;
    this.#isLeader = false;
    this.#needsJoin = true;
    this.#heartbeats.stop();
  }

  #fail(error: ErrorName, fatal: boolean): void {
    const message = `group ${this.#parts.config['group.id']}: ${ERRORS[error].message}`;
    this.#failure = { error, message, fatal };
    if (!fatal) return;
    this.#attempt += 1;
    this.#heartbeats.close();
  }

  #heartbeat(): void {
    const isMember = this.#state === 'stable' || this.#state === 'syncing';
    if (!isMember || this.#heartbeatUnderWay || this.#closed) return;
    const { link, config } = this.#parts;
    const generation = this.#generation;
    this.#heartbeatUnderWay = true;
    link.ask(
      'Heartbeat',
      () => heartbeatRequest(config, generation),
      { timeoutMs: config['request.timeout.ms'] },
      (outcome) => {
        this.#heartbeatUnderWay = false;
        if (!this.#closed) this.#onHeartbeat(outcome, generation);
      },
    );
  }

  #onHeartbeat(outcome: Outcome<ResponseOf<'Heartbeat'>>, generation: Generation): void {
    const error = outcome.kind === 'ok' ? outcome.response.error : undefined;
    const reaction = error === undefined ? 'lookup' : memberReaction('Heartbeat', error);
    if (reaction === 'done' || reaction === 'rejoin') this.#heartbeats.answered();
    else this.#heartbeats.failed();
    if (error !== undefined && reaction !== 'done') this.told(reaction, generation, error);
    const isMember = this.#state === 'stable' || this.#state === 'syncing';
    if (!isMember) this.#heartbeats.stop();
  }

  /** The application does not poll: others are to have what it holds (as Kafka: a static member only falls silent). */
  #leaveBehindItsBack(): void {
    if (this.#closed || this.#state === 'unjoined') return;
    if (this.#parts.isPolling()) return this.polled();
    if (this.#parts.config['group.instance.id'] === '') this.#sendLeave(() => undefined);
    this.#reset(NOBODY);
    this.#parts.onNews();
  }

  #sendLeave(done: () => void): void {
    const { link, config } = this.#parts;
    const request = leaveRequest(config, this.#generation);
    link.ask('LeaveGroup', () => request, { timeoutMs: config['request.timeout.ms'] }, done);
  }
}
