// Finds the coordinator of one group and asks it things. What it knows is a hint: every coordinator checks whether it is one
// (wire G-4). One lookup at a time, with backoff, for all who wait.
import type { DurationMs, InstantMs, NodeId } from '../../../base/units.ts';
import type { RequestOf, ResponseOf, UnaryApi } from '../../../protocol/apis.ts';
import type { Outcome, Random, Runtime, Timer } from '../../../runtime/ports.ts';
import { backoffMs } from '../backoff.ts';
import type { ClientConfig } from '../config.ts';
import type { ClientMetadata } from '../metadata.ts';

/** What the parts of a group member share. */
export interface GroupSurroundings {
  readonly runtime: Runtime;
  readonly config: ClientConfig;
  readonly metadata: ClientMetadata;
}

/** How long somebody waits for an answer. */
export interface Patience {
  /** From when it is asked. */
  readonly timeoutMs: DurationMs;
  /** Until when the coordinator must be known; for ever if absent. After it the request was not sent, and has timed out. */
  readonly until?: InstantMs;
}

export class CoordinatorLink {
  readonly #parts: GroupSurroundings;
  readonly #random: Random;
  #node: NodeId | undefined;
  #looking = false;
  #failures = 0;
  #waiters: (() => void)[] = [];
  #timer: Timer | undefined;
  #closed = false;

  constructor(parts: GroupSurroundings) {
    this.#parts = parts;
    this.#random = parts.runtime.random.fork('client.coordinator');
  }

  /** Who coordinates the group, as far as known. */
  get node(): NodeId | undefined {
    return this.#node;
  }

  /**
   * Asks the coordinator once it is known. `done` is called exactly once, never inside the call, unless the link is closed.
   * A request that failed, or an answer that says so, makes it unknown: see `lost`.
   */
  ask<A extends UnaryApi>(
    api: A,
    request: () => RequestOf<A>,
    { timeoutMs, until }: Patience,
    done: (outcome: Outcome<ResponseOf<A>>) => void,
  ): void {
    const { clock } = this.#parts.runtime;
    let isOver = false;
    const giveUp = (): void => {
      isOver = true;
      if (!this.#closed) done({ kind: 'timed-out' });
    };
    const isBounded = until !== undefined && until < Infinity && this.#node === undefined;
    const timer = isBounded ? clock.after(Math.max(0, until - clock.now()), giveUp) : undefined;
    this.#whenKnown((node) => {
      if (isOver) return;
      timer?.cancel();
      this.#parts.runtime.network.request(node, api, request(), timeoutMs, (outcome) => {
        if (this.#closed) return;
        if (outcome.kind !== 'ok') {
          this.#parts.metadata.nodeFailed(node);
          this.lost(node);
        }
        done(outcome);
      });
    });
  }

  /** It is not the coordinator any more, or cannot be reached. Without a node: whoever it is. */
  lost(node = this.#node): void {
    if (this.#node === node) this.#node = undefined;
  }

  /** Nobody who waits is called any more. */
  close(): void {
    this.#closed = true;
    this.#waiters = [];
    this.#timer?.cancel();
  }

  #whenKnown(run: (node: NodeId) => void): void {
    if (this.#closed) return;
    if (this.#node !== undefined) return run(this.#node);
    this.#waiters.push(() => this.#whenKnown(run));
    if (!this.#looking) this.#lookUp();
  }

  #lookUp(): void {
    const { runtime, config, metadata } = this.#parts;
    this.#looking = true;
    const groupId = config['group.id'];
    const request = { keyType: 'group', keys: [groupId] };
    const asked = metadata.anyNode();
    runtime.network.request(asked, 'FindCoordinator', request, config['request.timeout.ms'], (outcome) => {
      if (this.#closed) return;
      if (outcome.kind !== 'ok') metadata.nodeFailed(asked);
      const found =
        outcome.kind === 'ok' ? outcome.response.coordinators.find(({ key }) => key === groupId) : undefined;
      if (found?.error === 'NONE') this.#found(found.nodeId);
      else {
        this.#failures += 1;
        this.#timer = runtime.clock.after(backoffMs(config, this.#failures, this.#random), () => this.#lookUp());
      }
    });
  }

  #found(node: NodeId): void {
    this.#looking = false;
    this.#failures = 0;
    this.#node = node;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const run of waiters) run();
  }
}
