// Records that clients sent: one operation each, over all attempts. An attempt that nobody was told of may have appended; one
// that failed definitely has not, but its client may ask again: such an operation ends with the recording. A record is the
// same if its producer numbers it the same; of a producer that does not, if the same client sends the same value again before
// it was told that it is there.
import type { NodeId } from '../../base/units.ts';
import type { WireAnswer, WireAsk, WireBatch } from '../../trace/wire.ts';
import { isUnknown, type End, type From, type Names, type Tell } from './exchange.ts';
import type { Instances } from './instances.ts';

type Ask = Extract<WireAsk, { readonly api: 'Produce' }>;
type Answer = Extract<WireAnswer, { readonly api: 'Produce' }>;

interface Send {
  readonly process: string;
  readonly op: number;
  readonly partition: string;
  readonly value: string;
  readonly acks: 0 | 1 | -1;
  /** What stands in every entry of it besides. */
  readonly marks: { readonly idempotent?: true; readonly txn?: number };
  attempts: number;
  /** Attempts without an end. */
  underWay: number;
  /** The last end that is no success. */
  end: End | undefined;
  /** One of its attempts may have appended. */
  unknown: boolean;
  told: boolean;
}

/** The records of one batch of a request, in order. */
export interface Attempt {
  readonly partition: string;
  readonly sends: readonly Send[];
}

export interface SendParts {
  readonly names: Names;
  readonly instances: Instances;
  readonly tell: Tell;
}

export class Sends {
  readonly #parts: SendParts;
  readonly #byKey = new Map<string, Send>();
  readonly #all: Send[] = [];
  /** How many operations sent a value to a partition. */
  readonly #counts = new Map<string, number>();

  constructor(parts: SendParts) {
    this.#parts = parts;
  }

  asked({ batches, acks, transactionalId }: Ask, from: From): Attempt[] {
    return batches.map((batch) => {
      const seen = new Map<string, number>();
      const sends = batch.values.map((value, at) => {
        const twin = seen.get(value) ?? 0;
        seen.set(value, twin + 1);
        const key = keyOf(batch, { value, at, twin, from });
        const known = this.#byKey.get(key);
        const send = known === undefined || (known.told && batch.producer === null) ? undefined : known;
        return send ?? this.#begin(key, { batch, value, acks, from, transactionalId });
      });
      for (const send of sends) {
        send.attempts += 1;
        send.underWay += 1;
      }
      return { partition: batch.partition, sends };
    });
  }

  /** @param node The broker that answered, if that is known. */
  answered(attempts: readonly Attempt[], answer: Answer, node: NodeId | undefined): void {
    const answers = new Map(answer.partitions.map((one) => [one.partition, one]));
    for (const { partition, sends } of attempts) {
      const { error = 'lost', baseOffset = -1, leaderEpoch } = answers.get(partition) ?? {};
      const by = node === undefined || leaderEpoch === undefined ? {} : { node, leaderEpoch };
      sends.forEach((send, at) => {
        if (error === 'NONE') this.#ok(send, baseOffset < 0 ? undefined : baseOffset + at, by);
        else if (error === 'DUPLICATE_SEQUENCE_NUMBER') this.#ok(send, undefined);
        else this.#failed(send, error);
      });
    }
  }

  /** acks=0: whoever asked is content. */
  silent(attempts: readonly Attempt[]): void {
    for (const { sends } of attempts) for (const send of sends) this.#ok(send, undefined);
  }

  lost(attempts: readonly Attempt[]): void {
    for (const { sends } of attempts) for (const send of sends) this.#failed(send, 'lost');
  }

  /** Nothing comes any more. Answers what cannot be told of what was recorded: sentences. */
  finish(): string[] {
    for (const send of this.#all) {
      if (send.told) continue;
      const unknown = send.unknown || send.underWay > 0;
      const { end } = send;
      this.#tell(send, unknown ? 'info' : 'fail', end === undefined || end === 'lost' ? {} : { error: end });
    }
    const repeated = [...this.#counts].filter(([, count]) => count > 1);
    if (repeated.length === 0) return [];
    const example = repeated[0]![0];
    return [
      `${repeated.length} values were sent to a partition more than once, such as ${example}: records of equal value cannot ` +
        'be told apart, so what is checked by value says nothing of them',
    ];
  }

  #begin(
    key: string,
    of: {
      readonly batch: WireBatch;
      readonly value: string;
      readonly acks: number;
      readonly from: From;
      readonly transactionalId: string;
    },
  ): Send {
    const { names, instances } = this.#parts;
    const { batch, value, from, transactionalId } = of;
    const { partition, producer, transactional } = batch;
    const instance = producer === null ? undefined : instances.known(producer, from, transactionalId);
    const send: Send = {
      ...{ partition, value, op: names.op(), acks: of.acks === 0 || of.acks === 1 ? of.acks : -1 },
      process: instance?.process ?? names.connection(from),
      marks: {
        ...(producer === null ? {} : { idempotent: true as const }),
        ...(transactional && instance !== undefined ? { txn: instance.txn } : {}),
      },
      ...{ attempts: 0, underWay: 0, end: undefined, unknown: false, told: false },
    };
    this.#byKey.set(key, send);
    this.#all.push(send);
    // A value of a transaction that was aborted is sent again in the next.
    const counted = `"${value}" to ${partition}`;
    if (!transactional) this.#counts.set(counted, (this.#counts.get(counted) ?? 0) + 1);
    this.#tell(send, 'invoke', {});
    return send;
  }

  #ok(send: Send, offset: number | undefined, by: object = {}): void {
    send.underWay -= 1;
    if (send.told) return;
    send.told = true;
    const retried = send.attempts > 1;
    this.#tell(send, 'ok', {
      ...(offset === undefined ? {} : { offset }),
      ...(retried ? { retried } : {}),
      ...by,
    });
  }

  #failed(send: Send, end: End): void {
    send.underWay -= 1;
    send.end = end;
    if (isUnknown(end)) send.unknown = true;
  }

  #tell(send: Send, type: 'invoke' | 'ok' | 'fail' | 'info', more: object): void {
    const { process, op, partition, value, acks, marks } = send;
    this.#parts.tell({ f: 'send', type, process, op, partition, value, acks, ...marks, ...more });
  }
}

interface Place {
  readonly value: string;
  readonly at: number;
  /** How many records of this value stand before it in its batch. */
  readonly twin: number;
  readonly from: From;
}

function keyOf({ partition, producer }: WireBatch, { value, at, twin, from }: Place): string {
  if (producer === null) return `${partition} ${from.clientId} ${twin} ${value}`;
  return `${partition} ${producer.producerId}/${producer.producerEpoch}/${producer.sequence + at}`;
}
