// A member of a group that reads until it is told to stop. What it read counts as processed at its next poll: at least once.
import type { ClientConfig } from '../client/core/config.ts';
import type { GroupPollResult } from '../client/core/group/group-consumer.ts';
import { ClientMetadata } from '../client/core/metadata.ts';
import type { Runtime } from '../runtime/ports.ts';
import { memberConfig, RecordingMember } from './member.ts';
import type { ClientCommand, ClientSurroundings, GroupConsumerSpec, Report, WorkloadClient } from './spec.ts';

/** A poll that failed is followed by a pause: the reason may stay for a while. */
const AFTER_FAILURE_MS = 100;
/** Longest wait for its last commit and its good-bye. */
const CLOSE_MS = 1000;

export class GroupWorkload implements WorkloadClient {
  readonly #runtime: Runtime;
  readonly #report: Report;
  readonly #config: ClientConfig;
  readonly #metadata: ClientMetadata;
  readonly #member: RecordingMember;
  #op = 0;
  #polling = false;
  #paused = false;
  #stopped = false;

  constructor(spec: GroupConsumerSpec, surroundings: ClientSurroundings, runtime: Runtime, report: Report) {
    this.#runtime = runtime;
    this.#report = report;
    this.#config = memberConfig(spec, {}, surroundings.profile);
    this.#metadata = new ClientMetadata(runtime, this.#config, surroundings.bootstrap);
    const { id, group, topics } = spec;
    this.#member = new RecordingMember({
      ...{ id, group, topics, runtime, report, config: this.#config, metadata: this.#metadata },
      nextOp: () => this.#op++,
    });
    runtime.clock.after(0, () => this.#poll());
  }

  command(command: ClientCommand): void {
    switch (command.kind) {
      case 'go':
        return;
      case 'pause':
        this.#paused = true;
        this.#member.consumer.cancelPoll();
        return;
      case 'resume':
        this.#paused = false;
        this.#poll();
        return;
      case 'stop':
        this.#stop();
    }
  }

  #poll(): void {
    if (this.#polling || this.#paused || this.#stopped) return;
    this.#polling = true;
    // Twice the broker's wait, so that an empty poll has asked and was told that there is nothing.
    this.#member.poll(this.#config['fetch.max.wait.ms'] * 2, (result) => {
      this.#polling = false;
      if (!this.#stopped) this.#after(result);
    });
  }

  #after(result: GroupPollResult): void {
    if (result.kind === 'group-failed' && result.failure.fatal) return this.#stop();
    const failed = result.kind !== 'ok';
    // One that has no part of the group's work has read everything as well, but only if nothing is about to change.
    const isEmpty = result.kind === 'ok' && result.deliveries.length === 0;
    if (isEmpty && !this.#paused && this.#member.consumer.isSettled) this.#report({ kind: 'polled-empty' });
    this.#runtime.clock.after(failed ? AFTER_FAILURE_MS : 0, () => this.#poll());
  }

  #stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#member.consumer.close(CLOSE_MS, () => {
      this.#metadata.close();
      this.#report({ kind: 'done' });
    });
  }
}
