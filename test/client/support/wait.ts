// Waiting in virtual time: what a client's callbacks bring, as values.
import type { ConsumerCore, PollResult } from '../../../src/client/core/consumer.ts';
import type { ProducerCore } from '../../../src/client/core/producer.ts';
import type { ProducerRecord, SendResult } from '../../../src/client/core/producer-record.ts';
import type { World } from '../../../src/sim/world.ts';

/** Runs the world until `start` has called back; fails if that takes longer than `maxMs` of virtual time. */
export function waitFor<Value>(world: World, start: (done: (value: Value) => void) => void, maxMs = 60_000): Value {
  const got: Value[] = [];
  start((value) => got.push(value));
  if (got.length > 0) throw new Error('called back inside the call');
  if (!world.run({ until: () => got.length > 0, maxMs })) throw new Error(`no answer within ${maxMs} ms`);
  return got[0]!;
}

export const text = (value: string): Buffer => Buffer.from(value);

export function send(world: World, producer: ProducerCore, record: ProducerRecord): SendResult {
  return waitFor<SendResult>(world, (done) => producer.send(record, done));
}

export function poll(world: World, consumer: ConsumerCore, maxWaitMs = 1000): PollResult {
  return waitFor<PollResult>(world, (done) => consumer.poll(maxWaitMs, done));
}

/** Polls until `count` records came; the values in order. */
export function readValues(world: World, consumer: ConsumerCore, count: number): string[] {
  const values: string[] = [];
  for (let polls = 0; values.length < count; polls++) {
    if (polls > 200) throw new Error(`only ${values.length} of ${count} records: ${values.join(' ')}`);
    const result = poll(world, consumer);
    if (result.kind === 'failed') throw new Error(result.failure.message);
    for (const { records } of result.deliveries) values.push(...records.map((one) => one.value?.toString() ?? 'null'));
  }
  return values;
}
