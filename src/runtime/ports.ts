// Everything a core needs that is not a function of its inputs. Two makers: runtime/real and sim.
// Rules of use (design section 2): cores change state synchronously between events; a completion is never called
// inside the call that asked for it; a completion re-validates role and epoch before it acts (repl R-9).
import type { DurationMs, EpochMs, InstantMs, NodeId } from '../base/units.ts';
import type { Api, RequestOf, ResponseOf, StreamApi, UnaryApi } from '../protocol/apis.ts';
import type { TraceEvent } from '../trace/events.ts';
import type { FaultPoints } from '../fault/reach.ts';
import type { Safeguard } from '../fault/safeguards.ts';

/** One node's view of the world. */
export interface Runtime {
  readonly node: NodeId;
  readonly clock: Clock;
  readonly random: Random;
  readonly network: Network;
  readonly store: Store;
  readonly faults: FaultPoints;
  /** Whether a protection of the protocol is on. On unless a run switched it off. */
  safeguard(name: Safeguard): boolean;
  /** Reports what happened. Survives kill -9: written before anything it caused leaves the process. */
  trace(event: TraceEvent): void;
  /** Stops this node for good, e.g. when its only log dir failed (repl R-114). The reason is shown to people. */
  halt(reason: string): void;
}

export interface Clock {
  /** Monotonic, ms (may have a fraction in processes). For timeouts, sessions, lag. */
  now(): InstantMs;
  /** Wall clock. For record timestamps only; may jump. */
  wallTime(): EpochMs;
  /** Calls `run` once, after at least `delay`. */
  after(delay: DurationMs, run: () => void): Timer;
}

export interface Timer {
  /** The timer will not fire any more. Harmless if it already has. */
  cancel(): void;
}

/** Seeded in the simulator. Each purpose takes its own stream with `fork`, so that one does not shift another. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [0, bound). */
  below(bound: number): number;
  /** A random id: 22 characters of base64url, never beginning with a dash. */
  id(): string;
  /** A stream of its own, determined by this stream's seed and the name. */
  fork(name: string): Random;
}

// ---- Network -------------------------------------------------------------------------------------------------------

/**
 * How a call ended. Both failures are indefinite: the peer may have acted, or may still act ('timed-out' is a peer
 * that did not answer, 'disconnected' a connection that broke or could not be made).
 */
export type Outcome<Response> =
  | { readonly kind: 'ok'; readonly response: Response }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'disconnected'; readonly reason: string };

export interface Network {
  /** Calls `done` exactly once, never synchronously. Calls to the own node go the same way. */
  request<A extends UnaryApi>(
    to: NodeId,
    api: A,
    request: RequestOf<A>,
    timeoutMs: DurationMs,
    done: (outcome: Outcome<ResponseOf<A>>) => void,
  ): void;
  /** Opens a stream. A stream that cannot be opened is `closed` later, never synchronously. */
  open<A extends StreamApi>(to: NodeId, api: A, on: StreamEvents<ResponseOf<A>>): OutStream<RequestOf<A>>;
  /** Serves what this node offers. Called once, before anything arrives. */
  serve(handlers: Handlers): void;
  /** Tells where a node can be reached (brokers learn it from registrations). Without meaning in the simulator. */
  setAddress(node: NodeId, host: string, port: number): void;
}

/** What the opener of a stream hears. */
export interface StreamEvents<Response> {
  message(response: Response): void;
  /** Exactly once, and nothing after it. `undefined`: the far side ended in order. */
  closed(reason: string | undefined): void;
}

/** The opener's end. */
export interface OutStream<Request> {
  send(request: Request): void;
  /** Half-closes: sends no more, but answers owed still arrive, then `closed`. */
  end(): void;
  /** Gives up: nothing is delivered any more and `closed` is not called. The far side sees a broken stream. */
  abort(): void;
}

/** The server's end of a stream. */
export interface InStream<Response> {
  /** Node id of the opener. */
  readonly from: NodeId;
  send(response: Response): void;
  /** Ends in order after what was sent. */
  end(): void;
}

/** What the server's side of a stream hears. */
export interface InStreamEvents<Request> {
  message(request: Request): void;
  /** The opener half-closed: answer what is owed, then `end`. */
  ended(): void;
  /** The stream broke. Nothing after it. */
  closed(): void;
}

/** Answers one request. May be called later; at most once. Never calling it lets the caller time out. */
export type Answer<Response> = (response: Response) => void;

export type UnaryHandlers = {
  readonly [A in UnaryApi]?: (request: RequestOf<A>, from: NodeId, answer: Answer<ResponseOf<A>>) => void;
};
export type StreamHandlers = {
  readonly [A in StreamApi]?: (stream: InStream<ResponseOf<A>>) => InStreamEvents<RequestOf<A>>;
};
export interface Handlers {
  readonly unary: UnaryHandlers;
  readonly stream: StreamHandlers;
}
/** A network message as fault filters see it. */
export interface MessageInfo {
  readonly api: Api;
  readonly direction: 'request' | 'response';
  readonly from: NodeId;
  readonly to: NodeId;
}

// ---- Store ---------------------------------------------------------------------------------------------------------

export type StoreOp =
  | { readonly type: 'put'; readonly key: Buffer; readonly value: Buffer }
  | { readonly type: 'del'; readonly key: Buffer };

/** Half-open range of keys in byte order. */
export interface KeyRange {
  readonly gte: Buffer;
  readonly lt: Buffer;
  readonly reverse?: boolean;
  /** At most this many entries. */
  readonly limit?: number;
}

/** Why the store failed. After the first failed write it refuses all others, and the node must halt (repl R-114). */
export interface StoreFailure {
  readonly reason: string;
}

/**
 * An ordered map of bytes with atomic batches: LevelDB in processes. One writer; completions come in the order of
 * submission and never inside the call. A write survives kill -9 once its completion has come (repl R-116); it
 * survives power loss once a later or equal `sync` write has completed.
 */
export interface Store {
  /**
   * Synchronous. A key whose write is under way may answer old or new: ask only for what is complete.
   * The answer is the caller's to keep. Throws DiskFailure if the disk cannot answer: nobody catches it but who delivers
   * turns, and halts the node (repl R-114).
   */
  get(key: Buffer): Buffer | undefined;
  /** All or nothing. The buffers must not change until `done`. */
  write(ops: readonly StoreOp[], options: { readonly sync: boolean }, done: (failure?: StoreFailure) => void): void;
  /** Entries in key order. For recovery and rare paths, not for serving reads. */
  scan(range: KeyRange, done: (entries: readonly StoreEntry[], failure?: StoreFailure) => void): void;
}

export interface StoreEntry {
  readonly key: Buffer;
  readonly value: Buffer;
}
