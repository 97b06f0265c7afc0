// A producer that goes through steps and writes down every send: `invoke` before the record leaves, then ok, fail (it is
// certain that it was not appended, repl R-17) or info (unknown). One record a batch.
import { formatPartition } from '../base/units.ts';
import { clientConfig } from '../client/core/config.ts';
import { ClientMetadata } from '../client/core/metadata.ts';
import { ProducerCore } from '../client/core/producer.ts';
import type { SendResult } from '../client/core/producer-record.ts';
import type { SendOp } from '../history/operations.ts';
import { recordBytes } from '../history/record-text.ts';
import type { Runtime } from '../runtime/ports.ts';
import { acknowledged } from './acknowledged.ts';
import type { ClientCommand, ClientSurroundings, ProducerSpec, Report, WorkloadClient } from './spec.ts';

/** Longest wait for sends under way when the client is told to stop. What is not answered then is unknown. */
const CLOSE_MS = 1000;

export class ProducerWorkload implements WorkloadClient {
  readonly #spec: ProducerSpec;
  readonly #runtime: Runtime;
  readonly #report: Report;
  readonly #metadata: ClientMetadata;
  readonly #producer: ProducerCore;
  readonly #idempotent: boolean;
  #step = 0;
  /** Next value of the send at `#step`. */
  #value = 0;
  #op = 0;
  #underWay = 0;
  #paused = false;
  #stopped = false;
  /** Standing at a wait or sleeping: only that ends it. */
  #waiting = false;
  #done = false;

  constructor(spec: ProducerSpec, surroundings: ClientSurroundings, runtime: Runtime, report: Report) {
    this.#spec = spec;
    this.#runtime = runtime;
    this.#report = report;
    const one = { 'batch.size': 0, 'linger.ms': 0 };
    const config = clientConfig({ ...one, acks: acksName(spec.acks), ...spec.config }, surroundings.profile);
    this.#idempotent = config['enable.idempotence'];
    this.#metadata = new ClientMetadata(runtime, config, surroundings.bootstrap);
    this.#producer = new ProducerCore({ runtime, config, metadata: this.#metadata, clientId: spec.id });
    runtime.clock.after(0, () => this.#advance());
  }

  command(command: ClientCommand): void {
    switch (command.kind) {
      case 'go':
        if (!this.#waiting || command.step !== this.#step) return;
        this.#waiting = false;
        this.#nextStep();
        break;
      case 'pause':
        this.#paused = true;
        return;
      case 'resume':
        this.#paused = false;
        break;
      case 'stop':
        this.#stop();
        return;
    }
    this.#advance();
  }

  /** Does what can be done now: sends up to `inFlight`, and walks on over steps that are over. */
  #advance(): void {
    while (!this.#paused && !this.#stopped && !this.#waiting) {
      const step = this.#spec.steps[this.#step];
      if (step?.kind === 'send' && this.#value < step.values.length) {
        if (this.#underWay >= this.#spec.inFlight) return;
        this.#send(step.values[this.#value]!);
        continue;
      }
      if (this.#underWay > 0) return; // a step is over when its sends are answered
      if (step === undefined) {
        this.#stop();
        return;
      }
      if (step.kind === 'send') this.#nextStep();
      else this.#stand(step);
    }
  }

  #stand(step: { readonly kind: 'wait' } | { readonly kind: 'sleep'; readonly ms: number }): void {
    this.#waiting = true;
    if (step.kind === 'wait') {
      this.#report({ kind: 'waiting', step: this.#step });
      return;
    }
    this.#runtime.clock.after(step.ms, () => {
      this.#waiting = false;
      this.#nextStep();
      this.#advance();
    });
  }

  #nextStep(): void {
    this.#step += 1;
    this.#value = 0;
  }

  #send(value: string): void {
    const { topic, partitions, acks, id } = this.#spec;
    const op = this.#op++;
    this.#value += 1;
    this.#underWay += 1;
    const partition = partitions[op % partitions.length]!;
    const place = { process: id, op, partition: formatPartition(topic, partition), value, acks } as const;
    // What is new stands first: V8 takes a microsecond for each property that is added to a copy.
    const common = this.#idempotent ? { idempotent: true as const, ...place } : place;
    this.#report({ kind: 'entry', entry: { f: 'send', type: 'invoke', ...common } });
    this.#producer.send({ topic, partition, ...recordBytes(value) }, (result) => {
      this.#underWay -= 1;
      this.#report({ kind: 'entry', entry: { f: 'send', ...common, ...outcome(result) } });
      this.#advance();
    });
  }

  #stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#producer.close(CLOSE_MS, () => {
      this.#metadata.close();
      if (!this.#done) this.#report({ kind: 'done' });
      this.#done = true;
    });
  }
}

type SendOutcome = Pick<SendOp, 'type' | 'offset' | 'retried' | 'node' | 'leaderEpoch' | 'error'>;

function outcome(result: SendResult): SendOutcome {
  if (result.kind === 'failed') return { type: result.definite ? 'fail' : 'info', error: result.error };
  return { type: 'ok', ...acknowledged(result) };
}

function acksName(acks: 0 | 1 | -1): string {
  return acks === -1 ? 'all' : String(acks);
}
