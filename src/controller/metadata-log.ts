// The metadata log: what is decided, what is committed, and the answers that wait in between (repl R-102). Decisions are
// made on `decided`; one synced write is under way at a time and takes all that was decided meanwhile; what it holds is
// committed, told and answered when it completes. State is the fold of the log: kill -9 at any instant and restart.
// It decides nothing. Its beginning is a snapshot (snapshots.ts) once it has grown.
import { assert } from '../base/assert.ts';
import type { Offset } from '../base/units.ts';
import { MetadataImage } from '../metadata/image.ts';
import type { NodeConfig } from '../protocol/config.ts';
import type { MetadataRecord } from '../protocol/generated/index.ts';
import type { Runtime, Store, StoreOp } from '../runtime/ports.ts';
import type { DraftedRecord } from './draft.ts';
import { Draft } from './draft.ts';
import * as layout from './log-store.ts';
import { Snapshots, type Snapshot } from './snapshots.ts';

/** Who is told what becomes of the log. */
export interface MetadataLogEvents {
  /** The records of one write are committed: apply them to the committed image and tell of them. */
  committed(written: readonly DraftedRecord[]): void;
  /** They can be read. */
  advanced(): void;
  /** The store failed; nothing more will be committed or answered. */
  failed(reason: string): void;
}

interface Waiting {
  /** Answered once the log is committed up to here. */
  readonly endOffset: Offset;
  readonly answer: () => void;
}

export class MetadataLog {
  readonly #runtime: Runtime;
  readonly #store: Store;
  readonly #config: NodeConfig;
  readonly #on: MetadataLogEvents;
  readonly #snapshots: Snapshots;
  /** From `#startOffset` on. */
  #records: MetadataRecord[] = [];
  #startOffset: Offset = 0;
  readonly #answers: Waiting[] = [];
  #pending: DraftedRecord[] = [];
  #pendingOps: StoreOp[] = [];
  #isWriting = false;
  #failed = false;
  #onIdle: (() => void) | undefined;
  #draft: Draft | undefined;
  /** The cluster as decided: what the next decision is made on. */
  readonly decided = new MetadataImage();
  /** The cluster as committed: what anybody may be told. */
  readonly committed = new MetadataImage();

  constructor(runtime: Runtime, config: NodeConfig, on: MetadataLogEvents) {
    this.#runtime = runtime;
    this.#store = runtime.store;
    this.#config = config;
    this.#on = on;
    this.#snapshots = new Snapshots(runtime.clock, config);
  }

  /** Reads the log back. `unannounced` is where the trace of the last run may end. */
  load(done: (unannounced: Offset) => void): void {
    this.#store.scan(layout.SNAPSHOT_RANGE, (entries, failure) => {
      if (failure !== undefined) return this.#fail(failure.reason);
      const problem = this.#snapshots.load(entries, this.#store.get(layout.SNAPSHOT_MARK_KEY));
      if (problem !== undefined) return this.#runtime.halt(problem);
      const { snapshot } = this;
      if (snapshot !== undefined) {
        this.decided.load(snapshot.endOffset, snapshot.records);
        this.committed.load(snapshot.endOffset, snapshot.records);
      }
      this.#loadRecords(done);
    });
  }

  /** What the snapshot stands for may still be there, from some offset on. */
  #loadRecords(done: (unannounced: Offset) => void): void {
    this.#store.scan(layout.RECORD_RANGE, (entries, failure) => {
      if (failure !== undefined) return this.#fail(failure.reason);
      const [first] = entries;
      this.#startOffset = first === undefined ? this.committed.endOffset : layout.offsetOfKey(first.key);
      for (const { key, value } of entries) {
        const offset = layout.offsetOfKey(key);
        const due = this.#startOffset + this.#records.length;
        assert(offset === due, `repl R-102: metadata record ${offset} where ${due} is due`);
        const record = layout.storedRecord(offset, value);
        this.#records.push(record);
        if (offset < this.committed.endOffset) continue;
        this.decided.apply(offset, record);
        this.committed.apply(offset, record);
      }
      const lastWrite = layout.readNumber(this.#store.get(layout.LAST_WRITE_KEY));
      done(Math.max(this.#startOffset, lastWrite ?? this.committed.endOffset));
    });
  }

  /** Committed records are kept from here on. */
  get startOffset(): Offset {
    return this.#startOffset;
  }

  /** What stands for the beginning of the log, and for more than is gone of it. */
  get snapshot(): Snapshot | undefined {
    return this.#snapshots.newest;
  }

  /** Committed records of [from, to), for streams. */
  slice(from: Offset, to: Offset): MetadataRecord[] {
    return this.#records.slice(from - this.#startOffset, to - this.#startOffset);
  }

  /** Begins a decision. It ends with `commit`, in the same event. */
  begin(): Draft {
    assert(this.#draft === undefined, 'repl R-102: a decision was begun before the last one ended');
    this.#draft = new Draft(this.decided, this.#config, (name) => this.#runtime.safeguard(name));
    return this.#draft;
  }

  /**
   * Ends a decision: its records are written together, and `answer` runs once they and all decided before them are
   * committed, so that no answer rests on what could still be lost. At once if nothing is open.
   */
  commit(draft: Draft, answer?: () => void): void {
    assert(this.#draft === draft, 'repl R-102: a decision was ended that is not under way');
    this.#draft = undefined;
    for (const drafted of draft.records) this.#pending.push(drafted);
    if (answer !== undefined) this.#answers.push({ endOffset: this.decided.endOffset, answer });
    if (!this.#isWriting) this.#write();
  }

  /** Adds an operation to the next write, which `commit` starts. */
  writeWith(op: StoreOp): void {
    this.#pendingOps.push(op);
  }

  /** Calls `done` when nothing is being written: at once if nothing is. */
  whenIdle(done: () => void): void {
    if (this.#isWriting) this.#onIdle = done;
    else done();
  }

  #write(): void {
    if (this.#failed) return;
    const records = this.#pending;
    const step = this.#snapshots.next();
    const others = [...this.#pendingOps, ...(step?.ops ?? [])];
    if (records.length + others.length === 0) return this.#answerCommitted();
    const baseOffset = this.committed.endOffset;
    const ops = layout.recordOps(
      baseOffset,
      records.map(({ record }) => record),
    );
    [this.#pending, this.#pendingOps, this.#isWriting] = [[], [], true];
    const waits = this.#runtime.safeguard('ctl.durable');
    if (!waits) this.#runtime.clock.after(0, () => this.#complete(records));
    this.#store.write([...ops, ...others], { sync: true }, (failure) => {
      this.#isWriting = false;
      if (failure !== undefined) return this.#fail(failure.reason);
      if (step !== undefined) this.#snapshots.advance();
      if (waits) this.#complete(records);
      const bytes = ops.reduce((sum, op) => sum + (op.type === 'put' ? op.value.length : 0), 0);
      if (records.length > 0) this.#snapshots.committed(bytes, this.committed, (keepFrom) => this.#trim(keepFrom));
      if (!this.#isWriting) this.#write();
      this.#idle();
    });
  }

  #complete(records: readonly DraftedRecord[]): void {
    this.#on.committed(records);
    for (const { record } of records) this.#records.push(record);
    this.#on.advanced();
    this.#answerCommitted();
  }

  /** A snapshot is whole: what is below the one before it is not needed any more. */
  #trim(keepFrom: Offset): void {
    const from = this.#startOffset;
    if (keepFrom > from) {
      this.#records = this.#records.slice(keepFrom - from);
      this.#startOffset = keepFrom;
      this.#snapshots.deleteRecords(from, keepFrom);
    }
    const { endOffset, records } = this.snapshot!;
    this.#runtime.trace({
      type: 'metadata.snapshot',
      endOffset,
      records: records.length,
      startOffset: this.#startOffset,
    });
  }

  #answerCommitted(): void {
    while (this.#answers.length > 0 && this.#answers[0]!.endOffset <= this.committed.endOffset) {
      this.#answers.shift()!.answer();
    }
  }

  #fail(reason: string): void {
    this.#failed = true;
    this.#answers.length = 0;
    this.#on.failed(reason);
    this.#idle();
  }

  #idle(): void {
    if (this.#isWriting) return;
    const done = this.#onIdle;
    this.#onIdle = undefined;
    done?.();
  }
}
