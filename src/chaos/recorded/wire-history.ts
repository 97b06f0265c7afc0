// A history from what was recorded of the wire: what clients of any kind asked and were told, as operations that checkers
// judge. Takes the events of all brokers in the order of time. What the wire cannot tell is left unknown, never guessed: what an
// application did with what it was given, which record an output was made from, who held which partition when.
import type { NodeId } from '../../base/units.ts';
import type { TraceEvent } from '../../trace/events.ts';
import type { WireAnswer, WireAsk } from '../../trace/wire.ts';
import { Names, type End, type From, type Tell } from './exchange.ts';
import { Instances } from './instances.ts';
import { Reads, type Commit } from './reads.ts';
import { Sends, type Attempt } from './sends.ts';
import { RecordedTransactions, type Step } from './transactions.ts';

export type WireEvent = Extract<TraceEvent, { readonly type: 'wire.asked' | 'wire.answered' | 'wire.closed' }>;
type Asked = Extract<TraceEvent, { readonly type: 'wire.asked' }>;

/** Of a run with programs of the user's own and an empty recording: whatever is looked for, nobody can tell. */
export const NOTHING_RECORDED =
  'the brokers recorded nothing of programs of your own: there is nothing to judge; see clients/*.log';

/** Whether an event belongs to a recording. */
export function isWireEvent(event: TraceEvent): event is WireEvent {
  return event.type === 'wire.asked' || event.type === 'wire.answered' || event.type === 'wire.closed';
}

/** A request under way, and what takes its end; undefined: nobody was told. */
interface UnderWay {
  readonly connection: string;
  readonly ended: (answer: WireAnswer | undefined, node?: NodeId) => void;
}

export class WireHistory {
  readonly #names = new Names();
  readonly #instances = new Instances(this.#names);
  readonly #sends: Sends;
  readonly #transactions: RecordedTransactions;
  readonly #reads: Reads;
  /** Processes that the history knows to be seen on the wire alone. */
  readonly #introduced = new Set<string>();
  readonly #underWay = new Map<string, UnderWay>();

  constructor(tellEntry: Tell) {
    const tell: Tell = (entry) => {
      this.#introduce(entry.process, tellEntry);
      tellEntry(entry);
    };
    const parts = { names: this.#names, instances: this.#instances, tell };
    this.#sends = new Sends(parts);
    this.#transactions = new RecordedTransactions(parts);
    this.#reads = new Reads(this.#names, tell);
  }

  /** @param node The broker that tells it, where that is known: who acknowledges (double-leader). */
  take(event: WireEvent, node?: NodeId): void {
    if (event.type === 'wire.asked') {
      const { request, connection } = event;
      this.#underWay.set(request, { connection, ended: this.#asked(event) });
    } else if (event.type === 'wire.answered') this.#ended(event.request, event.answer, node);
    else {
      for (const [request, { connection }] of [...this.#underWay]) {
        if (connection === event.connection) this.#ended(request, undefined);
      }
    }
  }

  /** There is nothing to judge so far. */
  get isEmpty(): boolean {
    return this.#introduced.size === 0;
  }

  /** Nothing comes any more. Answers what cannot be told of what was recorded: sentences. */
  finish(): string[] {
    for (const request of [...this.#underWay.keys()]) this.#ended(request, undefined);
    this.#transactions.finish();
    return this.#sends.finish();
  }

  #introduce(process: string, tell: Tell): void {
    if (this.#introduced.has(process)) return;
    this.#introduced.add(process);
    tell({ f: 'recorded', type: 'info', process });
  }

  #ended(request: string, answer: WireAnswer | undefined, node?: NodeId): void {
    const known = this.#underWay.get(request);
    this.#underWay.delete(request);
    known?.ended(answer, node);
  }

  #asked({ ask, clientId, connection }: Asked): UnderWay['ended'] {
    const from = { clientId, connection };
    switch (ask.api) {
      case 'Produce':
        return this.#produce(ask, from);
      case 'Fetch':
        return (answer) => {
          if (answer?.api === 'Fetch') this.#reads.fetched(ask, answer, from);
        };
      case 'InitProducerId':
        return this.#init(ask, from);
      case 'AddPartitionsToTxn':
      case 'AddOffsetsToTxn':
        this.#transactions.used(this.#instances.known(ask, from, ask.transactionalId));
        return () => undefined;
      case 'TxnOffsetCommit':
        return this.#offsets(this.#transactions.offsets(ask, this.#instances.known(ask, from, ask.transactionalId)));
      case 'EndTxn':
        return this.#end(this.#transactions.end(ask, this.#instances.known(ask, from, ask.transactionalId)));
      case 'OffsetCommit':
        return this.#commit(this.#reads.commit(ask, from));
      case 'OffsetFetch':
        return (answer) => {
          if (answer?.api === 'OffsetFetch') this.#reads.offsets(answer, from);
        };
    }
  }

  #produce(ask: Extract<WireAsk, { readonly api: 'Produce' }>, from: From): UnderWay['ended'] {
    for (const { transactional, producer } of ask.batches) {
      if (transactional && producer !== null) {
        this.#transactions.used(this.#instances.known(producer, from, ask.transactionalId));
      }
    }
    const attempts: readonly Attempt[] = this.#sends.asked(ask, from);
    return (answer, node) => {
      if (answer?.api === 'Produce') this.#sends.answered(attempts, answer, node);
      else if (answer?.api === 'silence') this.#sends.silent(attempts);
      else this.#sends.lost(attempts);
    };
  }

  #init(ask: Extract<WireAsk, { readonly api: 'InitProducerId' }>, from: From): UnderWay['ended'] {
    const step = this.#transactions.init(ask, from);
    return (answer) => {
      if (step === undefined) return;
      if (answer?.api === 'identity') this.#transactions.given(step, answer);
      else this.#transactions.lost(step);
    };
  }

  #end(step: Step): UnderWay['ended'] {
    return (answer) => {
      if (answer?.api === 'identity') this.#transactions.ended(step, answer);
      else this.#transactions.lost(step);
    };
  }

  #offsets(step: Step): UnderWay['ended'] {
    return (answer) => {
      const ends = endsOf(answer);
      const failed = ends.find((end) => end !== 'NONE');
      if (failed === undefined) this.#transactions.done(step);
      else if (failed === 'lost') this.#transactions.lost(step);
      else this.#transactions.failed(step, failed);
    };
  }

  #commit(commit: Commit): UnderWay['ended'] {
    return (answer) => this.#reads.committed(commit, endsOf(answer));
  }
}

function endsOf(answer: WireAnswer | undefined): End[] {
  return answer?.api === 'outcomes' ? answer.outcomes.map(({ error }) => error) : ['lost'];
}
