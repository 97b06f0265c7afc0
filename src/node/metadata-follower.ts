// Follows the metadata log: hears records in order, folds what has come into the image as one delta, and hears of the next
// ones when that delta is in force (repl R-101, I-24; design section 4). What a delta does to partitions is replicas.ts's.
import { assert } from '../base/assert.ts';
import type { NodeId, Offset } from '../base/units.ts';
import type { MetadataImage } from '../metadata/image.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { NodeConfig } from '../protocol/config.ts';
import type { MetadataRecord } from '../protocol/generated/index.ts';
import type { OutStream, Runtime, Timer } from '../runtime/ports.ts';
import { deltaBetween, deltaOf } from './metadata-delta.ts';
import type { ControllerEpochs } from './controller-epochs.ts';
import type { MetadataDelta } from './replicas.ts';

const RETRY_MIN_MS = 50;
const RETRY_MAX_MS = 1000;

/** What stands for the log below `endOffset`. */
interface Snapshot {
  readonly endOffset: Offset;
  readonly records: readonly MetadataRecord[];
}

interface MetadataFollowerOptions {
  readonly runtime: Runtime;
  readonly config: NodeConfig;
  readonly me: NodeId;
  readonly controller: NodeId;
  readonly controllers: ControllerEpochs;
  readonly image: MetadataImage;
  /** Puts a delta in force. The image already holds it. */
  apply(delta: MetadataDelta, done: () => void): void;
  /** A delta is in force; what follows has not begun. */
  applied(): void;
  /** Whether a record says that another process has taken over this broker's id. */
  supersedes(record: MetadataRecord): boolean;
}

export class MetadataFollower {
  readonly #options: MetadataFollowerOptions;
  #stream: OutStream<RequestOf<'MetadataLog'>> | undefined;
  #retryMs = RETRY_MIN_MS;
  /** Of the stream: it is opened anew when nothing has come for a session timeout. */
  #silence: Timer | undefined;
  /** Received, not folded yet. */
  #pending: MetadataRecord[] = [];
  /** Comes before `#pending`: what stands for a beginning of the log that is gone. Whole, and not folded yet. */
  #snapshot: Snapshot | undefined;
  /** Parts of one that have come. */
  #parts: MetadataRecord[] = [];
  /** The first image is folded in one piece, when all that was committed at its start has come. */
  #firstImageEnd: Offset | undefined;
  #appliedOffset: Offset = 0;
  #applying = false;
  #stopped = false;

  constructor(options: MetadataFollowerOptions) {
    this.#options = options;
  }

  /** Everything below is in force here: what heartbeats report (repl R-89). */
  get appliedOffset(): Offset {
    return this.#appliedOffset;
  }
  /** Whether the first image is in force. */
  get hasImage(): boolean {
    return this.#appliedOffset > 0;
  }

  /**
   * Begins to follow. Called after the registration was answered, so that the first image holds it: an image from before
   * could give back a leader epoch of this broker's last life (repl R-88).
   */
  start(): void {
    this.#open();
  }

  stop(): void {
    this.#stopped = true;
    this.#silence?.cancel();
    this.#stream?.end();
    this.#stream = undefined;
  }

  #open(): void {
    if (this.#stopped) return;
    const { runtime, me, controller } = this.#options;
    const stream = runtime.network.open(controller, 'MetadataLog', {
      message: (response) => {
        if (this.#stream === stream) this.#onRecords(response);
      },
      closed: () => {
        if (this.#stream === stream) this.#reopen();
      },
    });
    this.#stream = stream;
    this.#parts = [];
    this.#listen();
    stream.send({ brokerId: me, fromOffset: this.#receivedOffset });
  }

  /** A lost message would otherwise go unnoticed until the next one: a new stream is answered at once. */
  #listen(): void {
    const { runtime, config } = this.#options;
    this.#silence?.cancel();
    this.#silence = runtime.clock.after(config['broker.session.timeout.ms'], () => this.#reopen());
  }

  #reopen(): void {
    if (this.#stopped) return;
    this.#silence?.cancel();
    this.#stream?.abort();
    this.#stream = undefined;
    this.#options.runtime.clock.after(this.#retryMs, () => this.#open());
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MAX_MS);
  }

  get #receivedOffset(): Offset {
    return (this.#snapshot?.endOffset ?? this.#options.image.endOffset) + this.#pending.length;
  }

  #onRecords(response: ResponseOf<'MetadataLog'>): void {
    const { baseOffset, records, endOffset, controllerEpoch } = response;
    const isPart = response.snapshotOffset > 0;
    const missing = isPart ? this.#parts.length - baseOffset : this.#receivedOffset - baseOffset;
    if (!this.#options.controllers.accept(controllerEpoch) || missing < 0) return this.#reopen();
    this.#retryMs = RETRY_MIN_MS;
    this.#listen();
    this.#firstImageEnd ??= endOffset;
    if (isPart) this.#parts.push(...records.slice(missing));
    else this.#pending.push(...records.slice(missing));
    if (isPart && this.#parts.length === response.snapshotCount) this.#takeSnapshot(response.snapshotOffset);
    this.#pump();
  }

  /** It stands for all that has come before it and was not folded. */
  #takeSnapshot(endOffset: Offset): void {
    if (endOffset <= this.#receivedOffset) return;
    this.#snapshot = { endOffset, records: this.#parts };
    this.#pending = [];
    this.#parts = [];
  }

  /** One delta at a time; what comes meanwhile makes the next one. */
  #pump(): void {
    while (!this.#applying && !this.#stopped && this.#pending.length + (this.#snapshot === undefined ? 0 : 1) > 0) {
      if (!this.hasImage && this.#receivedOffset < (this.#firstImageEnd ?? 0)) return;
      const snapshot = this.#snapshot;
      this.#snapshot = undefined;
      if (snapshot !== undefined && this.#isSuperseded(snapshot.records)) return;
      const records = this.#takePending();
      if (records.length === 0 && snapshot === undefined) return;
      this.#applying = true;
      this.#applyAll(records, snapshot);
    }
  }

  /** A replaced process takes in nothing from its successor's registration on: it stays a zombie in its old epochs. */
  #takePending(): MetadataRecord[] {
    const records = this.#pending;
    this.#pending = [];
    if (!this.#isSuperseded(records)) return records;
    return records.slice(
      0,
      records.findIndex((record) => this.#options.supersedes(record)),
    );
  }

  #isSuperseded(records: readonly MetadataRecord[]): boolean {
    if (!records.some((record) => this.#options.supersedes(record))) return false;
    this.stop();
    const message = 'another process has registered under the id of this one, which hears no more of the metadata log';
    this.#options.runtime.trace({ type: 'log.line', level: 'warn', message });
    return true;
  }

  #applyAll(records: readonly MetadataRecord[], snapshot: Snapshot | undefined): void {
    const { image, apply, applied } = this.#options;
    const before = new Map(image.topics);
    if (snapshot !== undefined) image.load(snapshot.endOffset, snapshot.records);
    for (const record of records) image.apply(image.endOffset, record);
    const endOffset = image.endOffset;
    apply(snapshot === undefined ? deltaOf(records, image) : deltaBetween(before, image), () => {
      assert(this.#applying, 'repl R-101: one delta at a time');
      this.#applying = false;
      this.#appliedOffset = endOffset;
      applied();
      this.#pump();
    });
  }
}
