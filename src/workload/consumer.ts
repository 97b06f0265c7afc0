// A consumer that polls its partitions for ever and writes down what it was given, and every move of its position that was
// not reading. A poll that brought nothing is no entry: there would be thousands.
import { formatPartition, type TopicPartition } from '../base/units.ts';
import { clientConfig, type ClientConfig } from '../client/core/config.ts';
import type { ConsumerFailure } from '../client/core/consumer-record.ts';
import { ConsumerCore, type PollResult } from '../client/core/consumer.ts';
import { ClientMetadata } from '../client/core/metadata.ts';
import type { EndOffsetOp, NewEntry } from '../history/operations.ts';
import type { Runtime } from '../runtime/ports.ts';
import { deliveredBy } from './delivered.ts';
import type { ClientCommand, ClientSurroundings, ConsumerSpec, Report, WorkloadClient } from './spec.ts';

type EndQuestion = Pick<EndOffsetOp, 'f' | 'process' | 'op' | 'partition'>;

/** A poll that failed is followed by a pause: the reason may stay for a while. */
const AFTER_FAILURE_MS = 100;

export class ConsumerWorkload implements WorkloadClient {
  readonly #spec: ConsumerSpec;
  readonly #runtime: Runtime;
  readonly #report: Report;
  readonly #config: ClientConfig;
  readonly #metadata: ClientMetadata;
  readonly #consumer: ConsumerCore;
  /** Said of each poll, if it is not what every reader is. */
  readonly #committed: boolean;
  #op = 0;
  /** Questions where partitions end that are not answered yet. */
  #endsAsked: readonly EndQuestion[] = [];
  #polling = false;
  #paused = false;
  #stopped = false;

  constructor(spec: ConsumerSpec, surroundings: ClientSurroundings, runtime: Runtime, report: Report) {
    this.#spec = spec;
    this.#runtime = runtime;
    this.#report = report;
    const reset = spec.from === 'latest' ? 'latest' : 'earliest';
    this.#config = clientConfig({ 'auto.offset.reset': reset, ...spec.config }, surroundings.profile);
    this.#committed = this.#config['isolation.level'] === 'read_committed';
    this.#metadata = new ClientMetadata(runtime, this.#config, surroundings.bootstrap);
    this.#consumer = new ConsumerCore({
      ...{ runtime, config: this.#config, metadata: this.#metadata },
      onPosition: (of, why, from, to) => {
        this.#record({ f: 'position', type: 'info', process: spec.id, partition: nameOf(of), why, from, to });
      },
    });
    this.#consumer.assign(spec.partitions);
    if (typeof spec.from === 'number') for (const of of spec.partitions) this.#consumer.seek(of, spec.from);
    runtime.clock.after(0, () => this.#poll());
    if (spec.endsEveryMs !== undefined) runtime.clock.after(0, () => this.#askEnds());
  }

  command(command: ClientCommand): void {
    switch (command.kind) {
      case 'go':
        return;
      case 'pause':
        this.#paused = true;
        this.#consumer.cancelPoll();
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
    this.#consumer.poll(this.#config['fetch.max.wait.ms'] * 2, (result) => {
      this.#polling = false;
      if (this.#stopped) return;
      this.#tell(result);
    });
  }

  /** Asks where its partitions end, writes the answers down, and asks again. Pauses do not keep it from that. */
  #askEnds(): void {
    if (this.#stopped) return;
    const asked = this.#spec.partitions.map((of) => {
      return { f: 'end-offset', process: this.#spec.id, op: this.#op++, partition: nameOf(of) } as const;
    });
    for (const one of asked) this.#record({ ...one, type: 'invoke' });
    this.#endsAsked = asked;
    this.#consumer.endOffsets(this.#spec.partitions, (ends) => {
      if (this.#stopped) return;
      this.#endsAsked = [];
      ends.forEach(({ error, offset, leaderEpoch }, at) => {
        if (error === 'NONE') this.#record({ ...asked[at]!, type: 'ok', offset, leaderEpoch });
        else this.#record({ ...asked[at]!, type: 'info', error });
      });
      this.#runtime.clock.after(this.#spec.endsEveryMs!, () => this.#askEnds());
    });
  }

  #tell(result: PollResult): void {
    if (result.kind === 'failed') {
      this.#failed(result.failure);
      this.#runtime.clock.after(AFTER_FAILURE_MS, () => this.#poll());
      return;
    }
    for (const delivery of result.deliveries) {
      const [process, op, partition] = [this.#spec.id, this.#op++, nameOf(delivery)];
      // Spreads stand last: V8 takes a microsecond for each property that is added to a copy.
      const common = { f: 'poll', type: 'ok', process, op, partition, ...deliveredBy(delivery) } as const;
      this.#record(this.#committed ? { isolation: 'read_committed', ...common } : common);
    }
    // A poll that was cancelled by a pause was given nothing because nobody waited for it.
    if (result.deliveries.length === 0 && !this.#paused) this.#report({ kind: 'polled-empty' });
    this.#runtime.clock.after(0, () => this.#poll());
  }

  #failed(failure: ConsumerFailure): void {
    const common = { f: 'poll', type: 'fail', process: this.#spec.id, op: this.#op++ } as const;
    this.#record({ ...common, partition: nameOf(failure), error: failure.error });
    // Going on where the logs part is what an application would do that was told so.
    if (failure.divergentOffset !== undefined) this.#consumer.seek(failure, failure.divergentOffset);
  }

  #record(entry: NewEntry): void {
    this.#report({ kind: 'entry', entry });
  }

  #stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    for (const one of this.#endsAsked) this.#record({ ...one, type: 'info' });
    this.#consumer.close();
    this.#metadata.close();
    this.#report({ kind: 'done' });
  }
}

function nameOf(of: TopicPartition): string {
  return formatPartition(of.topic, of.partition);
}
