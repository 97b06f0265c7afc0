// What a rebalance means to an application: positions are committed, partitions given up and given, its listener told. Each step
// that it can see happens while a poll waits and never besides, as in Kafka's clients: between polls an application may be at
// work on what it was given, and whoever takes that away must wait until it polls again.
import type { TopicPartition } from '../../../base/units.ts';
import { formatPartition } from '../../../base/units.ts';
import type { ConsumerCore } from '../consumer.ts';
import type { RebalanceProtocol } from './assignor.ts';
import { decodeAssignment } from './consumer-protocol.ts';
import type { Generation, Membership, Synced } from './membership.ts';

/** Hears of partitions that come and go. Each call must call `proceed` once, when it has done with them; until then polls wait. */
export interface GroupListener {
  /** They are the member's from now on; nothing of them was read yet. May be none: there is a new generation all the same. */
  assigned?(partitions: readonly TopicPartition[], proceed: () => void): void;
  /** They are about to go to others: what was done with them can still be committed. */
  revoked?(partitions: readonly TopicPartition[], proceed: () => void): void;
  /** They may be with others already: nothing can be committed for them any more. */
  lost?(partitions: readonly TopicPartition[], proceed: () => void): void;
}

export interface RebalancerParts {
  readonly membership: Membership;
  readonly consumer: ConsumerCore;
  readonly protocol: RebalanceProtocol;
  /** Topics that are wanted now. */
  readonly topics: () => ReadonlySet<string>;
  readonly listener: () => GroupListener;
  /** Commits positions of these partitions, if that is done automatically. Calls back in any case, later or at once. */
  readonly autoCommit: (partitions: readonly TopicPartition[], by: Generation, done: () => void) => void;
  /** There is another assignment: what is new in it waits to be told where to begin. */
  readonly onAssigned: () => void;
  /** A listener has ended: a poll that was held back may go on. */
  readonly onListenerDone: () => void;
}

type Call = keyof GroupListener;

export class Rebalancer {
  readonly #parts: RebalancerParts;
  #polling = false;
  #busy = false;
  #listening = false;
  /** A step that waits for the next poll. */
  #step: (() => void) | undefined;
  /** Topics that it last joined for. */
  #asked: ReadonlySet<string> = new Set();
  /** Counts what is begun: what was overtaken by the close does not go on. */
  #run = 0;
  #visible: Generation = { generationId: -1, memberId: '', protocol: '' };
  #closed = false;

  constructor(parts: RebalancerParts) {
    this.#parts = parts;
  }

  /** The generation whose partitions the application has, or had last: by this it is fenced (txn T-63). */
  get visible(): Generation {
    return this.#visible;
  }

  /** Whether a listener is at work: polls end behind it. */
  get isListening(): boolean {
    return this.#listening;
  }

  /** Whether nothing is under way, and nothing is known to come. */
  get isSettled(): boolean {
    return !this.#busy && this.#parts.membership.isSettled;
  }

  /** A poll waits from now on, or does not any more. */
  setPolling(polling: boolean): void {
    this.#polling = polling;
    if (polling) this.advance();
  }

  /** Does what can be done now. */
  advance(): void {
    if (!this.#polling || this.#closed) return;
    const step = this.#step;
    if (step !== undefined) {
      this.#step = undefined;
      return step();
    }
    if (this.#busy) return;
    const { membership } = this.#parts;
    const synced = membership.takeSynced();
    if (synced !== undefined) this.#complete(synced);
    else if (membership.needsJoin && !membership.hasFailed) this.#prepare();
  }

  /** Gives everything up, outside any poll: the consumer is about to close. */
  giveUp(done: () => void): void {
    const owned = this.#parts.consumer.assignment;
    const isLost = this.#isLost;
    this.#polling = true;
    this.#step = undefined;
    this.#begin();
    this.#give(owned, isLost ? 'lost' : 'revoked', this.#visible, () => {
      this.#closed = true;
      done();
    });
  }

  #begin(): void {
    this.#busy = true;
    this.#run += 1;
  }

  get #isLost(): boolean {
    return this.#visible.generationId >= 0 && this.#parts.membership.generation.generationId < 0;
  }

  /** Before it joins: what has to be given up is. What is kept may move in this rebalance, so all of it is committed. */
  #prepare(): void {
    this.#begin();
    if (this.#isLost) return this.#letGo();
    const { consumer } = this.#parts;
    const owned = consumer.assignment;
    consumer.pause(without(owned, this.#kept));
    this.#commit(owned, this.#visible, () => this.#letGo());
  }

  /** What it does not let go for this rebalance. It may have been dropped from its group while it committed. */
  get #kept(): TopicPartition[] {
    const { consumer, protocol, topics } = this.#parts;
    if (this.#isLost || protocol === 'eager') return [];
    return consumer.assignment.filter(({ topic }) => topics().has(topic));
  }

  #letGo(): void {
    const { consumer, membership, topics } = this.#parts;
    const kept = this.#kept;
    this.#tell(this.#isLost ? 'lost' : 'revoked', without(consumer.assignment, kept), () => {
      consumer.assign(kept);
      // It may have been dropped while its listener was at work: what it kept may be with others by now.
      if (this.#isLost && kept.length > 0) return this.#letGo();
      this.#asked = topics();
      this.#busy = false;
      membership.join();
      this.advance();
    });
  }

  /** It was given its partitions of a new generation. */
  #complete({ generation, assignment }: Synced): void {
    this.#begin();
    const { consumer, membership, protocol, topics } = this.#parts;
    const wanted = decodeAssignment(assignment)?.partitions ?? [];
    const owned = consumer.assignment;
    const given = without(owned, wanted);
    const added = without(wanted, owned);
    this.#visible = generation;
    this.#give(given, 'revoked', generation, () => {
      consumer.assign(wanted, 'wait');
      this.#tell('assigned', added, () => {
        this.#busy = false;
        this.#parts.onAssigned();
        const isOther = this.#asked.size !== topics().size || [...topics()].some((topic) => !this.#asked.has(topic));
        // What was given up goes to its new owner in another generation.
        if (isOther || (given.length > 0 && protocol === 'cooperative')) membership.requestRejoin();
        this.advance();
      });
    });
  }

  #give(partitions: readonly TopicPartition[], as: 'revoked' | 'lost', by: Generation, then: () => void): void {
    if (as === 'lost' || partitions.length === 0) return this.#tell(as, partitions, then);
    this.#parts.consumer.pause(partitions);
    this.#commit(partitions, by, () => this.#tell(as, partitions, then));
  }

  #commit(partitions: readonly TopicPartition[], by: Generation, then: () => void): void {
    const run = this.#run;
    this.#parts.autoCommit(partitions, by, () => {
      if (run === this.#run) then();
    });
  }

  /** Calls the listener, while a poll waits. Nobody is told that nothing goes. */
  #tell(call: Call, partitions: readonly TopicPartition[], then: () => void): void {
    this.#whilePolling(() => {
      const listener = this.#parts.listener();
      if (listener[call] === undefined || (call !== 'assigned' && partitions.length === 0)) return then();
      this.#listening = true;
      this.#parts.consumer.hold(true);
      const run = this.#run;
      let isDone = false;
      listener[call](partitions, () => {
        if (isDone) return;
        isDone = true;
        this.#listening = false;
        if (run === this.#run) then();
        // What the poll is to bring was not brought when `then` committed positions.
        this.#parts.consumer.hold(this.#listening);
        this.#parts.onListenerDone();
      });
    });
  }

  #whilePolling(step: () => void): void {
    if (this.#polling) step();
    else this.#step = step;
  }
}

function without(partitions: readonly TopicPartition[], others: readonly TopicPartition[]): TopicPartition[] {
  const names = new Set(others.map(({ topic, partition }) => formatPartition(topic, partition)));
  return partitions.filter(({ topic, partition }) => !names.has(formatPartition(topic, partition)));
}
