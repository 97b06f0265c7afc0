// One client connection: at most one request in progress, answers in request order (wire W-12 to W-15). A failure here
// ends this connection and nothing else (wire W-30); only a broken invariant of a core passes through.
import type { Socket } from 'node:net';
import { InvariantViolation } from '../base/assert.ts';
import type { Cancel } from '../node/api.ts';
import type { Reply, ServedBroker, ServedConnection } from './apis/api.ts';
import { FrameReader, FrameSizeError } from './codec/frames.ts';
import { DecodeError } from '../base/field-reader.ts';
import type { Complaints } from './complaints.ts';
import { serveFrame, type Peer } from './serve-frame.ts';
import { foreignProtocol, NotServed } from './unserved.ts';

/** While a request is in progress the peer is read no further than this, so that what it pipelines stays in its socket. */
const READ_AHEAD_BYTES = 65_536;
/** The longest time that a Node timer can hold. */
const TIMER_MAX_MS = 2_147_483_647;
/** As much of a client id as a line for people has. */
const CLIENT_ID_CHARACTERS_MAX = 100;
/** How long a connection stays mute whose answer a fault has lost: beyond the patience of every client known. */
const MUTE_MS = 60_000;

export interface ConnectionOptions {
  readonly served: ServedBroker;
  /** Its number at this broker. */
  readonly number: number;
  /** `socket.request.max.bytes` */
  readonly requestMaxBytes: number;
  /** `connections.max.idle.ms` */
  readonly idleMaxMs: number;
  /** Runs before bytes leave, so that the events that caused them are written first. */
  readonly beforeSend: () => void;
  /** The peer sent what the protocol does not allow. */
  readonly onMalformed: () => void;
  /** Where people are told of clients that cannot be served. */
  readonly complaints: Complaints;
}

/** The request in progress. */
interface InProgress {
  cancel: Cancel | undefined;
}

export class Connection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #frames: FrameReader;
  readonly #served: ServedConnection;
  /** What the peer has said of itself. */
  readonly #peer: Peer = { clientId: '', software: '' };
  readonly #address: string;
  #inProgress: InProgress | undefined;
  #pumping = false;
  /** A whole frame has come: this is a Kafka client. */
  #hasSpoken = false;
  /** The peer has sent its FIN: it reads nothing any more, but what it has sent still counts. */
  #peerEnded = false;
  /** Nothing more is served; what was answered is on its way. */
  #isFinished = false;

  /** Takes over a socket that was made with `allowHalfOpen`. */
  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#frames = new FrameReader(options.requestMaxBytes);
    this.#served = { ...options.served, clientHost: hostOf(socket), connection: options.number };
    this.#address = `${socket.remoteAddress}:${socket.remotePort}`;
    socket.setNoDelay(true);
    socket.setTimeout(Math.min(options.idleMaxMs, TIMER_MAX_MS));
    socket.on('data', (chunk: Buffer) => {
      if (this.#isFinished) return;
      this.#frames.push(chunk);
      this.#pump();
    });
    socket.on('drain', () => this.#pump());
    socket.on('end', () => this.#onPeerEnd());
    socket.on('timeout', () => this.#onIdle());
    socket.on('error', (error) => options.served.log('debug', `connection of ${this.#address}: ${error.message}`));
    socket.on('close', () => {
      this.#withdraw();
      options.served.recorder?.closed(options.number);
    });
  }

  /** Ends the connection now. The effect of a request in progress stands, its answer is dropped (wire W-15). */
  close(): void {
    this.#withdraw();
    this.#socket.destroy();
  }

  /** Starts requests as long as none is in progress and the peer takes the answers. */
  #pump(): void {
    if (this.#pumping) return; // An answer came inside the call that asked for it: the loop below goes on.
    this.#pumping = true;
    this.#socket.cork();
    try {
      while (!this.#busy) {
        const frame = this.#frames.next();
        if (frame === undefined) break;
        this.#hasSpoken = true;
        this.#start(frame);
      }
    } catch (error) {
      this.#abandon(error);
    } finally {
      this.#socket.uncork();
      this.#pumping = false;
    }
    this.#regulate();
  }

  get #busy(): boolean {
    const { destroyed, writableNeedDrain } = this.#socket;
    return this.#inProgress !== undefined || this.#isFinished || destroyed || writableNeedDrain;
  }

  #start(frame: Buffer): void {
    const request: InProgress = { cancel: undefined };
    this.#inProgress = request;
    const cancel = serveFrame(frame, this.#served, this.#peer, (reply, exchange) => {
      if (this.#inProgress !== request) return; // Withdrawn, or answered twice.
      if (reply.kind === 'lost') {
        this.#fallMute(request);
        return;
      }
      this.#inProgress = undefined;
      exchange?.answered(reply);
      this.#carryOut(reply);
      this.#pump();
    });
    if (this.#inProgress !== request || request.cancel !== undefined) return; // Answered, or lost, within the call.
    request.cancel = cancel;
    if (this.#peerEnded) this.#withdrawParked();
  }

  /**
   * An answer was lost, and those behind it cannot overtake it (wire W-12): the peer hears nothing more here, until it gives
   * up, or all faults are healed, or long enough for anybody.
   */
  #fallMute(request: InProgress): void {
    const timer = setTimeout(() => this.close(), MUTE_MS).unref();
    const forget = this.#served.faults?.whenHealed(() => this.close());
    request.cancel = () => {
      clearTimeout(timer);
      forget?.();
    };
    if (this.#peerEnded) this.close();
  }

  #carryOut(reply: Reply): void {
    if (reply.kind === 'response') {
      this.#options.beforeSend();
      for (const part of reply.response) this.#socket.write(part);
    } else if (reply.kind === 'close') {
      this.#complain(reply.reason, reply.reason);
      this.#finish();
    }
  }

  /** Ends the connection behind the answers that are on their way: their requests came first (wire W-12, W-30). */
  #finish(): void {
    this.#withdraw();
    this.#isFinished = true;
    this.#socket.destroySoon();
  }

  /** Reads on or not, and ends what is over. */
  #regulate(): void {
    if (this.#busy && this.#frames.bufferedBytes > READ_AHEAD_BYTES) this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
    if (this.#peerEnded && !this.#busy && !this.#socket.writableEnded) this.#socket.end();
  }

  #onPeerEnd(): void {
    this.#peerEnded = true;
    this.#withdrawParked();
    this.#pump();
  }

  #onIdle(): void {
    if (this.#inProgress !== undefined && !this.#peerEnded) return;
    this.#options.served.log('debug', `connection of ${this.#address} closed: idle`);
    this.close();
  }

  /** Wire W-30: no answer, and nobody else notices. */
  #abandon(error: unknown): void {
    if (error instanceof InvariantViolation) {
      this.close();
      throw error;
    }
    this.#finish();
    if (error instanceof DecodeError) {
      this.#options.onMalformed();
      const foreign = error instanceof FrameSizeError && !this.#hasSpoken ? foreignProtocol(error.size) : undefined;
      const why = foreign ?? error;
      this.#complain(why instanceof NotServed ? why.subject : 'malformed', `it sent ${why.message}`);
      return;
    }
    const detail = error instanceof Error ? error.stack : String(error);
    this.#options.served.log('error', `connection of ${this.#address} closed: ${detail}`);
  }

  /** Says in the log why this client is not served, unless the like was just said. */
  #complain(what: string, why: string): void {
    const { clientId, software } = this.#peer;
    const named = clientId === '' ? '' : `client id ${JSON.stringify(clientId.slice(0, CLIENT_ID_CHARACTERS_MAX))}`;
    const facts = [named, software].filter((fact) => fact !== '').join(', ');
    const who = facts === '' ? this.#address : `${this.#address} (${facts})`;
    const kind = [what, this.#socket.remoteAddress, facts].join(' ');
    this.#options.complaints.hear({ level: 'warn', kind, message: `connection of ${who} closed: ${why}` });
  }

  /** Drops a request that waits for something; one that does not wait answers on its own. */
  #withdrawParked(): void {
    if (this.#inProgress?.cancel !== undefined) this.#withdraw();
  }

  #withdraw(): void {
    const request = this.#inProgress;
    this.#inProgress = undefined;
    request?.cancel?.();
  }
}

/** An IPv4 client of a dual-stack socket is told by its IPv4 address. */
function hostOf({ remoteAddress = '' }: Socket): string {
  return `/${remoteAddress.replace(/^::ffff:(?=\d+\.)/, '')}`;
}
