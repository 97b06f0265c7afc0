// The client of the bare pipeline. Equal to the product's: gRPC options, one stream, the same number of batches of the same
// size under way. Left out: records, batching, CRCs, metadata, retries, promises.
import type { ClientDuplexStream } from '@grpc/grpc-js';
import { randomBytes } from 'node:crypto';
import { asIs, createChannel, MESSAGE_BYTES_MAX } from '../../src/rpc/channel.ts';
import { batchesToMb, BATCH_BYTES, IN_FLIGHT, POOL_BYTES } from '../sizes.ts';
import { quantile } from '../figures.ts';
import { APPEND_PATH, decodeNumbered, ECHO_PATH, encodeNumbered } from './frames.ts';

/** A record of 1 KiB, alone. */
const RECORD_BYTES = 1024;

const pool = randomBytes(POOL_BYTES + BATCH_BYTES);
let channel: ReturnType<typeof createChannel> | undefined;
let stream: ClientDuplexStream<Buffer, Buffer> | undefined;
let nextNumber = 0;
const waiting = new Map<number, () => void>();

function append(bytes: Buffer): Promise<void> {
  const number = nextNumber++;
  return new Promise((resolve) => {
    waiting.set(number, resolve);
    stream!.write(encodeNumbered(number, bytes));
  });
}

/** Random bytes, others each time. */
function cut(number: number, sizeBytes: number): Buffer {
  const at = (number * 4099) % POOL_BYTES;
  return pool.subarray(at, at + sizeBytes);
}

function echo(): Promise<void> {
  return new Promise((resolve, reject) => {
    channel!.makeUnaryRequest(ECHO_PATH, asIs, asIs, Buffer.alloc(0), (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
}

/** p50 of calls made one after the other, ms. */
async function p50Of(count: number, call: (number: number) => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < count; number++) {
    const started = performance.now();
    await call(number);
    times.push(performance.now() - started);
  }
  return quantile(times, 0.5);
}

/** Handlers of the part "bare-client". */
export const bareClient = {
  connect: ({ port }: { port: number }): void => {
    channel = createChannel('127.0.0.1', port, MESSAGE_BYTES_MAX);
    stream = channel.makeBidiStreamRequest<Buffer, Buffer>(APPEND_PATH, asIs, asIs);
    stream.on('data', (frame: Buffer) => {
      const { number } = decodeNumbered(frame);
      waiting.get(number)?.();
      waiting.delete(number);
    });
  },
  /** MB/s acknowledged. */
  throughput: async ({ count: batches }: { count: number }): Promise<number> => {
    const started = performance.now();
    let sent = 0;
    const lane = async (): Promise<void> => {
      while (sent < batches) await append(cut(sent++, BATCH_BYTES));
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
    return batchesToMb(batches) / ((performance.now() - started) / 1000);
  },
  /** p50 of one record at a time, ms. */
  latency: ({ count }: { count: number }): Promise<number> =>
    p50Of(count, (number) => append(cut(number, RECORD_BYTES))),
  /** Records a second, several under way. */
  rate: async ({ count, lanes }: { count: number; lanes: number }): Promise<number> => {
    const started = performance.now();
    let sent = 0;
    const lane = async (): Promise<void> => {
      while (sent < count) await append(cut(sent++, RECORD_BYTES));
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    return count / ((performance.now() - started) / 1000);
  },
  /** p50 of an empty unary call, ms. */
  roundTrip: ({ count }: { count: number }): Promise<number> => p50Of(count, echo),
};
