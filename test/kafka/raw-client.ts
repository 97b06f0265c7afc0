// A bare socket that speaks frames, and requests built from the grammar of the specification: what no client library
// would send can be sent here.
import { connect, type Socket } from 'node:net';
import { Cursor, decodeStruct, encodeStruct, type Struct } from './generic-codec.ts';
import { grammarOf } from './grammar.ts';

/** A frame around bytes. */
export function frame(content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeInt32BE(content.length);
  return Buffer.concat([size, content]);
}

export interface RequestOptions {
  readonly correlationId?: number;
  readonly clientId?: string | null;
  /** Builds the body for this version instead of the header's. */
  readonly bodyVersion?: number;
}

/** A request frame: header and body by the tables. */
export function request(key: number, version: number, body: Struct, options: RequestOptions = {}): Buffer {
  const { request: fields, flexibleFrom } = grammarOf(key);
  const mode = { version: options.bodyVersion ?? version, flexible: version >= flexibleFrom };
  const head = Buffer.alloc(8);
  head.writeInt16BE(key, 0);
  head.writeInt16BE(version, 2);
  head.writeInt32BE(options.correlationId ?? 1, 4);
  const clientId = options.clientId === undefined ? 'test' : options.clientId;
  const name = Buffer.from(clientId ?? '');
  const length = Buffer.alloc(2);
  length.writeInt16BE(clientId === null ? -1 : name.length);
  const tags = mode.flexible ? Buffer.from([0]) : Buffer.alloc(0);
  return frame(Buffer.concat([head, length, name, tags, encodeStruct(fields, body, mode)]));
}

export interface Response {
  readonly correlationId: number;
  readonly body: Struct;
}

/** Decodes a response to a request of this key and version; every byte must be used. */
export function response(content: Buffer, key: number, version: number): Response {
  const { response: fields, flexibleFrom } = grammarOf(key);
  const flexible = version >= flexibleFrom;
  const cursor = new Cursor(content);
  const correlationId = cursor.integer(4);
  if (flexible && key !== 18 && cursor.uvarint() !== 0) throw new Error('the response header has tags');
  const body = decodeStruct(fields, cursor, { version, flexible });
  if (cursor.at !== content.length) throw new Error(`${content.length - cursor.at} bytes follow the response`);
  return { correlationId, body };
}

export class RawClient {
  readonly socket: Socket;
  readonly #frames: Buffer[] = [];
  #received = Buffer.alloc(0);
  #waiting: (() => void)[] = [];
  #closed = false;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    this.socket.on('error', () => undefined); // A reset is a way of closing.
    this.socket.on('close', () => {
      this.#closed = true;
      this.#wake();
    });
  }

  /** Frames received and not taken yet. */
  get pendingCount(): number {
    return this.#frames.length;
  }

  send(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  /** The next frame's content; rejects when the connection is closed first. */
  async receive(): Promise<Buffer> {
    while (this.#frames.length === 0) {
      if (this.#closed) throw new Error('the connection was closed');
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.#frames.shift()!;
  }

  /** Sends a request and decodes what comes back. */
  async ask(key: number, version: number, body: Struct, options: RequestOptions = {}): Promise<Response> {
    this.send(request(key, version, body, options));
    return response(await this.receive(), key, version);
  }

  /** Sends a frame, and answers the content of the next one. */
  askRaw(bytes: Buffer): Promise<Buffer> {
    this.send(bytes);
    return this.receive();
  }

  /** Waits until the far side has closed, and says how many bytes of answers came before. */
  async closed(): Promise<number> {
    while (!this.#closed) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.#frames.reduce((sum, bytes) => sum + bytes.length, this.#received.length);
  }

  close(): void {
    this.socket.destroy();
  }

  #onData(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    let at = 0;
    while (this.#received.length - at >= 4) {
      const size = this.#received.readInt32BE(at);
      if (this.#received.length - at - 4 < size) break;
      this.#frames.push(this.#received.subarray(at + 4, at + 4 + size));
      at += 4 + size;
    }
    this.#received = this.#received.subarray(at);
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
