// One pass of the cleaner over one log (txn T-114): bounded work a turn, one atomic write a turn, each of which leaves a valid log,
// so that a kill at any instant is harmless. What stays is cleaning-plan.ts's; how a batch is replaced the ledger's.
import type { EpochMs, Offset } from '../base/units.ts';
import type { Safeguard } from '../fault/safeguards.ts';
import type { Clock } from '../runtime/ports.ts';
import type { CleanSettings } from './api.ts';
import { CleaningPlan } from './cleaning-plan.ts';
import { cleanedTo, deleteHorizon, withPass } from './cleaner-state.ts';
import type { IndexedBatch } from './batch-index.ts';
import type { LogLedger, Rewrite } from './log-ledger.ts';

/** Bytes that one turn reads, and writes at most. */
const TURN_BYTES = 256 * 1024;
/** Batches that one turn looks at. */
const TURN_BATCHES = 1000;
/** Keys that one pass remembers; with more it ends earlier. */
const KEYS_MAX = 200_000;

export interface CleanContext {
  readonly ledger: LogLedger;
  readonly clock: Clock;
  readonly trace: { cleaning(upTo: Offset): void };
  bytesOf(place: number): Buffer;
  safeguard(name: Safeguard): boolean;
}

/** Cleans a log if enough of it is new; `done` later, with whether a pass ended. */
export function cleanLog(context: CleanContext, settings: CleanSettings, done: (cleaned: boolean) => void): void {
  const { ledger, clock } = context;
  const upTo = cleanableTo(ledger);
  const from = Math.max(cleanedTo(ledger.decided.cleaner), ledger.counted.logStartOffset);
  const { index } = ledger;
  const dirtyBytes = index.sizeBetween(index.find(from), index.find(upTo));
  const allBytes = index.sizeBetween(0, index.find(upTo));
  const ratio = allBytes === 0 ? 0 : dirtyBytes / allBytes;
  if (dirtyBytes === 0 || ratio < settings.minCleanableRatio || ledger.gate.shut) {
    clock.after(0, () => done(false));
    return;
  }
  new CleaningPass(context, { from, upTo, now: clock.wallTime(), settings }, done).learn(from);
}

/** Never at or above the last stable offset, nor in the active segment; a whole number of batches. */
function cleanableTo(ledger: LogLedger): Offset {
  const bound = Math.min(ledger.lastStableOffset, ledger.decided.segments.at(-1)!);
  const { index } = ledger;
  return Math.min(bound, index.at(index.find(bound))?.baseOffset ?? bound);
}

interface Range {
  readonly from: Offset;
  readonly upTo: Offset;
  readonly now: EpochMs;
  readonly settings: CleanSettings;
}

/** Markers and tombstones below may go: for as long as somebody may lack what they undo, none (BUG-64). */
function horizonOf({ decided }: LogLedger, { now, settings }: Range): Offset {
  return settings.isEverywhere === false ? 0 : deleteHorizon(decided.cleaner, now, settings.deleteRetentionMs);
}

class CleaningPass {
  readonly #context: CleanContext;
  readonly #range: Range;
  readonly #done: (cleaned: boolean) => void;
  readonly #plan: CleaningPlan;
  readonly #generation: number;
  #upTo: Offset;

  constructor(context: CleanContext, range: Range, done: (cleaned: boolean) => void) {
    const { ledger } = context;
    this.#context = context;
    this.#range = range;
    this.#done = done;
    this.#upTo = range.upTo;
    this.#generation = ledger.generation;
    this.#plan = new CleaningPlan({
      producers: ledger.producers.all(),
      aborted: ledger.aborted.overlapping(0, range.upTo),
      index: ledger.index,
      deleteHorizon: horizonOf(ledger, range),
      keepMarkers: context.safeguard('compact.keepMarkers'),
    });
  }

  /** Takes in the keys of what is new, from `offset` on. */
  learn(offset: Offset): void {
    const next = this.#turn(offset, (batch, place) => {
      this.#plan.learn(batch, this.#context.bytesOf(place));
      if (this.#plan.keys >= KEYS_MAX) this.#upTo = Math.min(this.#upTo, batch.lastOffset + 1);
    });
    if (next < this.#upTo) this.#later(() => this.learn(next));
    else this.#later(() => this.#open());
  }

  /** Says that there may be gaps now, before there are any. */
  #open(): void {
    const { ledger, trace } = this.#context;
    const { cleaner } = ledger.decided;
    trace.cleaning(this.#upTo);
    const gapsBelow = Math.max(cleaner.gapsBelow, this.#upTo);
    ledger.rewrite([], { ...cleaner, gapsBelow }, () => this.#unlessOver(() => this.#clean(0)));
  }

  #clean(offset: Offset): void {
    const { ledger, bytesOf } = this.#context;
    const changes: Rewrite[] = [];
    const next = this.#turn(offset, (batch, place) => {
      const verdict = this.#plan.judge(batch, () => bytesOf(place));
      if (verdict !== 'keep') changes.push({ batch, bytes: verdict === 'drop' ? undefined : verdict });
    });
    const goOn = (): void => {
      if (next < this.#upTo) this.#clean(next);
      else this.#close();
    };
    if (changes.length === 0) this.#later(goOn);
    else ledger.rewrite(changes, ledger.decided.cleaner, () => this.#unlessOver(goOn));
  }

  #close(): void {
    const { ledger } = this.#context;
    const cleaner = withPass(ledger.decided.cleaner, { upTo: this.#upTo, at: this.#range.now });
    ledger.rewrite([], cleaner, () => this.#done(true));
  }

  /** Shows one turn's worth of batches from `offset` on; answers where the next turn begins. */
  #turn(offset: Offset, look: (batch: IndexedBatch, place: number) => void): Offset {
    const { index } = this.#context.ledger;
    let sizeBytes = 0;
    let next = offset;
    const first = index.find(offset);
    for (let place = first; place < index.length && sizeBytes < TURN_BYTES && place - first < TURN_BATCHES; place++) {
      const batch = index.at(place)!;
      if (batch.baseOffset >= this.#upTo) return this.#upTo;
      look(batch, place);
      sizeBytes += batch.sizeBytes;
      next = batch.lastOffset + 1;
    }
    return next === offset ? this.#upTo : next;
  }

  #later(step: () => void): void {
    this.#context.clock.after(0, () => this.#unlessOver(step));
  }

  /** The log was cut, or is about to be: what the pass knows of it is worth nothing. The next pass begins anew. */
  #unlessOver(step: () => void): void {
    const { ledger } = this.#context;
    if (ledger.generation !== this.#generation || ledger.gate.shut) this.#done(false);
    else step();
  }
}
