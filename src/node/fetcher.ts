// Fetches from one leader: one stream at a time, one request on it, a timer on each request, and a rest after each failure
// (repl; design section 5). What answers mean for a partition is fetched-replica.ts's.
import { assert } from '../base/assert.ts';
import type { NodeId } from '../base/units.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { OutStream, Timer } from '../runtime/ports.ts';
import type { FetchStart, NodeContext } from './context.ts';
import { FetchRequests } from './fetch-requests.ts';
import { sessionKey } from './fetch-session.ts';
import { FetchedReplica } from './fetched-replica.ts';
import type { Partition } from './partition.ts';

/** Replicas that were added are asked for at the end of their delta, but after this long if a fault holds the delta up. */
const ADDED_WAIT_MS = 20;

/** The leader does not know the session: a full fetch mends that, and nothing is to be waited for (repl R-40). */
const SESSION_ERRORS: ReadonlySet<ErrorName> = new Set(['FETCH_SESSION_ID_NOT_FOUND', 'INVALID_FETCH_SESSION_EPOCH']);

/** One stream to the leader; a new one has a higher generation. */
interface Stream {
  readonly out: OutStream<RequestOf<'Fetch'>>;
  readonly generation: number;
  readonly requests: FetchRequests;
  nextSequence: number;
}

interface Outstanding {
  readonly sequence: number;
  readonly timer: Timer;
}

export class Fetcher {
  readonly #context: NodeContext;
  readonly #leader: NodeId;
  readonly #nextGeneration: () => number;
  /** By session key, whoever its leader is. */
  readonly #fetchedNow: (key: string) => FetchedReplica | undefined;
  /** By session key. */
  readonly #replicas = new Map<string, FetchedReplica>();
  #stream: Stream | undefined;
  #outstanding: Outstanding | undefined;
  /** Something can be fetched that the outstanding request does not ask for. */
  #stale = false;
  #added: Timer | undefined;
  #resting = false;
  #over = false;
  /** Log changes that the next request waits for. */
  #storing = 0;
  /** Why the last request failed, until one is answered: only changes are worth a line. */
  #trouble: string | undefined;

  constructor(
    context: NodeContext,
    leader: NodeId,
    among: {
      readonly nextGeneration: () => number;
      readonly fetchedNow: (key: string) => FetchedReplica | undefined;
    },
  ) {
    this.#context = context;
    this.#leader = leader;
    this.#nextGeneration = among.nextGeneration;
    this.#fetchedNow = among.fetchedNow;
  }

  /** What is fetched of this leader, by session key. */
  fetched(key: string): FetchedReplica | undefined {
    return this.#replicas.get(key);
  }

  get isEmpty(): boolean {
    return this.#replicas.size === 0;
  }

  /** Begins to fetch a replica, also if that ends a long poll. One delta adds many: `sendAdded` says when it is through. */
  add(replica: Partition, at: FetchStart): void {
    const key = sessionKey(replica.topicId, replica.partition);
    assert(!this.#replicas.has(key), 'repl R-71: a replica is removed from its fetcher before it is added');
    const events = { ready: () => this.#onReady(), storing: (delta: 1 | -1) => this.#onStoring(delta) };
    this.#replicas.set(key, new FetchedReplica(this.#context, replica, at, events));
    this.#stale = true;
    this.#added ??= this.#context.runtime.clock.after(ADDED_WAIT_MS, () => this.sendAdded());
  }

  /** Asks for what was added. */
  sendAdded(): void {
    if (this.#added === undefined) return;
    this.#added.cancel();
    this.#added = undefined;
    this.#send();
  }

  remove(replica: Partition): void {
    const key = sessionKey(replica.topicId, replica.partition);
    this.#replicas.get(key)?.remove();
    this.#replicas.delete(key);
  }

  /** Leaves the leader: half-closes, so that it can answer what it owes, and hears nothing of it (BUG-78). */
  leave(): void {
    for (const replica of this.#replicas.values()) replica.remove();
    this.#replicas.clear();
    this.#over = true;
    this.#added?.cancel();
    this.#outstanding?.timer.cancel();
    this.#outstanding = undefined;
    this.#stream?.out.end();
    this.#stream = undefined;
  }

  #onReady(): void {
    this.#stale = true;
    this.#send();
  }

  #onStoring(delta: 1 | -1): void {
    this.#storing += delta;
    this.#send();
  }

  /** Sends the next request if there is something to ask. While one is outstanding only if it misses something. */
  #send(): void {
    if (this.#over || this.#resting || this.#storing > 0) return;
    if (this.#outstanding !== undefined && !this.#stale) return;
    const ready = [...this.#replicas.values()].filter((replica) => replica.isReady);
    if (ready.length === 0) return;
    const full = this.#stream === undefined || this.#outstanding !== undefined;
    const stream = (this.#stream ??= this.#open());
    const asks = ready.map((replica) => replica.ask);
    const { partitions, forgotten } = stream.requests.next(asks, full);
    const { runtime, config, me } = this.#context;
    for (const { topic, partition, currentLeaderEpoch: leaderEpoch, fetchOffset: offset } of partitions) {
      runtime.faults.observe('replica.fetch.sending', { topic, partition, leaderEpoch, to: this.#leader, offset });
    }
    const sequence = stream.nextSequence++;
    this.#outstanding?.timer.cancel();
    const timer = runtime.clock.after(config['replica.socket.timeout.ms'], () => this.#onFailure(stream, 'timed out'));
    this.#outstanding = { sequence, timer };
    this.#stale = false;
    stream.out.send({
      replicaId: me,
      ...{ replicaEpoch: this.#context.brokerEpoch(), streamGeneration: stream.generation, sequence },
      maxWaitMs: config['replica.fetch.wait.max.ms'],
      minBytes: config['replica.fetch.min.bytes'],
      maxBytes: config['replica.fetch.response.max.bytes'],
      isolationLevel: 0,
      ...{ full, partitions, forgotten, rackId: '', leaderOnly: true },
    });
  }

  #open(): Stream {
    const { runtime, config } = this.#context;
    const stream: Stream = {
      out: runtime.network.open(this.#leader, 'Fetch', {
        message: (response) => this.#onResponse(stream, response),
        closed: (reason) => this.#onFailure(stream, reason ?? 'ended'),
      }),
      generation: this.#nextGeneration(),
      requests: new FetchRequests(config['replica.fetch.max.bytes']),
      nextSequence: 0,
    };
    return stream;
  }

  /** Only the answer to the newest request counts: the leader has forgotten that it told the others. */
  #onResponse(stream: Stream, response: ResponseOf<'Fetch'>): void {
    const isNewest = this.#stream === stream && response.streamGeneration === stream.generation;
    if (!isNewest || this.#outstanding?.sequence !== response.sequence) return this.#onLate(stream, response);
    if (SESSION_ERRORS.has(response.error)) {
      this.#abandon(stream);
      return this.#send();
    }
    if (response.error !== 'NONE') return this.#onFailure(stream, response.error);
    this.#say(undefined);
    this.#outstanding.timer.cancel();
    this.#outstanding = undefined;
    this.#storing += 1; // Nothing is sent before all of the response is taken in.
    for (const result of response.partitions) {
      const asked = stream.requests.asked(result.topicId, result.partition);
      const replica = this.#replicas.get(sessionKey(result.topicId, result.partition));
      if (asked !== undefined) replica?.onFetched(asked, result);
    }
    this.#onStoring(-1);
  }

  /** Nobody waits for it. Without the safeguard what is no error goes to whoever fetches the partition now (BUG-78). */
  #onLate({ requests }: Stream, { partitions }: ResponseOf<'Fetch'>): void {
    if (this.#context.runtime.safeguard('fetch.responseMatch')) return;
    for (const result of partitions) {
      const asked = requests.asked(result.topicId, result.partition);
      if (asked === undefined || result.error !== 'NONE') continue;
      this.#fetchedNow(sessionKey(result.topicId, result.partition))?.onFetched(asked, result);
    }
  }

  /** The whole request failed, or the stream: a new generation after a rest (repl R-40). Never a tight loop. */
  #onFailure(stream: Stream, reason: string): void {
    if (this.#stream !== stream) return;
    this.#abandon(stream);
    this.#say(reason);
    this.#resting = true;
    const { runtime, config } = this.#context;
    runtime.clock.after(config['replica.fetch.backoff.ms'], () => {
      this.#resting = false;
      this.#send();
    });
  }

  #abandon(stream: Stream): void {
    stream.out.abort();
    this.#stream = undefined;
    this.#outstanding?.timer.cancel();
    this.#outstanding = undefined;
  }

  #say(trouble: string | undefined): void {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    const message = `fetching from broker ${this.#leader}: ${trouble ?? 'it answers again'}`;
    this.#context.runtime.trace({ type: 'log.line', level: 'info', message });
  }
}
