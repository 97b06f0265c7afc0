// The leader of the bare pipeline. Equal to the product's: gRPC options, a stream from the client and one from each
// follower, long-polled; a batch is fetched once LevelDB has it, acknowledged when both followers have asked for what is
// behind it. Left out: checks, CRCs, epochs, ISR, events, timeouts.
import grpc from '@grpc/grpc-js';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import { asIs, MESSAGE_BYTES_MAX, serverOptions } from '../../src/rpc/channel.ts';
import { FETCH_BYTES_MAX } from '../sizes.ts';
import { APPEND_PATH, decodeNumbered, ECHO_PATH, encodeBatches, encodeNumbered, FETCH_PATH } from './frames.ts';
import { BareLog } from './log.ts';

type Call = ServerDuplexStream<Buffer, Buffer>;

/** A follower's stream: where it stands, and whether it waits for an answer. */
interface Follower {
  readonly call: Call;
  position: number;
  waiting: boolean;
}

const FOLLOWERS = 2;

class BareLeader {
  readonly #log: BareLog;
  /** Batches that a follower may still fetch; the first has number `#firstKept`. */
  readonly #kept: Buffer[] = [];
  #firstKept = 0;
  /** Behind the last batch that LevelDB has. */
  #end = 0;
  readonly #followers: Follower[] = [];
  #unacknowledged: { readonly call: Call; readonly number: number; readonly place: number }[] = [];
  #appended = 0;

  constructor(log: BareLog) {
    this.#log = log;
  }

  serveClient(call: Call): void {
    call.on('error', () => undefined);
    call.on('data', (frame: Buffer) => {
      const { number, bytes } = decodeNumbered(frame);
      this.#kept.push(bytes);
      this.#unacknowledged.push({ call, number, place: this.#appended++ });
      this.#log.append([bytes], () => {
        this.#end += 1;
        for (const follower of this.#followers) this.#answer(follower);
      });
    });
  }

  serveFollower(call: Call): void {
    const follower: Follower = { call, position: 0, waiting: false };
    this.#followers.push(follower);
    call.on('error', () => undefined);
    call.on('data', (frame: Buffer) => {
      follower.position = decodeNumbered(frame).number;
      follower.waiting = true;
      this.#acknowledge();
      this.#answer(follower);
    });
  }

  #answer(follower: Follower): void {
    if (!follower.waiting || follower.position >= this.#end) return;
    const batches: Buffer[] = [];
    let sizeBytes = 0;
    for (let at = follower.position; at < this.#end; at++) {
      const batch = this.#kept[at - this.#firstKept]!;
      sizeBytes += batch.length;
      if (batches.length > 0 && sizeBytes > FETCH_BYTES_MAX) break;
      batches.push(batch);
    }
    follower.waiting = false;
    follower.call.write(encodeBatches(batches));
  }

  #acknowledge(): void {
    if (this.#followers.length < FOLLOWERS) return;
    const everywhere = Math.min(...this.#followers.map(({ position }) => position));
    this.#kept.splice(0, everywhere - this.#firstKept);
    this.#firstKept = everywhere;
    const count = this.#unacknowledged.filter(({ place }) => place < everywhere).length;
    for (const { call, number } of this.#unacknowledged.splice(0, count)) call.write(encodeNumbered(number));
  }
}

/** Handlers of the part "bare-leader". */
export const bareLeader = {
  /** Answers the port. */
  listen: async ({ directory }: { directory: string }): Promise<number> => {
    const leader = new BareLeader(await BareLog.open(directory));
    const server = new grpc.Server(serverOptions(MESSAGE_BYTES_MAX));
    server.register(APPEND_PATH, (call: Call) => leader.serveClient(call), asIs, asIs, 'bidi');
    server.register(FETCH_PATH, (call: Call) => leader.serveFollower(call), asIs, asIs, 'bidi');
    server.register(ECHO_PATH, (call: { request: Buffer }, reply: (error: null, value: Buffer) => void) =>
      reply(null, call.request), asIs, asIs, 'unary'); // prettier-ignore
    return new Promise((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, port) => {
        if (error === null) resolve(port);
        else reject(error);
      });
    });
  },
};
