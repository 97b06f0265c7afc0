// What readers of a recording were given, and offsets of groups. A connection reads each partition in turn; that it goes on
// elsewhere than it stopped is its client's own doing, and no fault of what it was given: a seek.
import type { WireAnswer, WireAsk } from '../../trace/wire.ts';
import { isUnknown, type End, type From, type Names, type Tell } from './exchange.ts';

type FetchAsk = Extract<WireAsk, { readonly api: 'Fetch' }>;
type FetchAnswer = Extract<WireAnswer, { readonly api: 'Fetch' }>;
type CommitAsk = Extract<WireAsk, { readonly api: 'OffsetCommit' }>;
type OffsetsAnswer = Extract<WireAnswer, { readonly api: 'OffsetFetch' }>;

/** A plain commit of offsets under way. */
export interface Commit {
  readonly process: string;
  readonly op: number;
  readonly group: string;
  readonly offsets: Readonly<Record<string, number>>;
}

export class Reads {
  readonly #names: Names;
  readonly #tell: Tell;
  /** Where each process goes on in each partition. */
  readonly #positions = new Map<string, number>();
  /** The high watermark that each was told last of each partition. */
  readonly #watermarks = new Map<string, number>();

  constructor(names: Names, tell: Tell) {
    this.#names = names;
    this.#tell = tell;
  }

  /**
   * Polls that were given nothing leave no entry, but for those that were told less than before. Fetches that are fenced with no
   * leader epoch say nothing of the high watermark, and followers do not either: theirs may fall (repl R-48).
   */
  fetched(ask: FetchAsk, answer: FetchAnswer, from: From): void {
    const process = this.#names.connection(from);
    answer.partitions.forEach(({ partition, error, to, highWatermark, records }, at) => {
      const { offset: asked = 0, leaderEpoch } = ask.partitions[at] ?? {};
      const key = `${process} ${partition}`;
      const isTold = highWatermark !== undefined && leaderEpoch !== undefined;
      const isLess = isTold && highWatermark < (this.#watermarks.get(key) ?? -1);
      if (isTold) this.#watermarks.set(key, highWatermark);
      if (error !== 'NONE' || (to <= asked && !isLess)) return;
      this.#moved(process, partition, asked);
      const poll = { f: 'poll', process, op: this.#names.op(), partition, isolation: ask.isolation } as const;
      this.#tell({ ...poll, type: 'invoke' });
      const told = isTold ? { highWatermark, leaderEpoch } : {};
      this.#tell({ ...poll, type: 'ok', from: asked, to, records, ...told });
      this.#positions.set(key, to);
    });
  }

  commit({ group, offsets }: CommitAsk, from: From): Commit {
    const commit = { process: this.#names.connection(from), op: this.#names.op(), group, offsets };
    this.#tell({ f: 'commit-offsets', type: 'invoke', ...commit });
    return commit;
  }

  committed(commit: Commit, ends: readonly End[]): void {
    const failed = ends.find((end) => end !== 'NONE');
    if (failed === undefined) this.#tell({ f: 'commit-offsets', type: 'ok', ...commit });
    else {
      // Of several partitions some may have been committed.
      const unknown = ends.some(isUnknown) || ends.some((end) => end === 'NONE');
      const error = failed === 'lost' ? {} : { error: failed };
      this.#tell({ f: 'commit-offsets', type: unknown ? 'info' : 'fail', ...commit, ...error });
    }
  }

  offsets(answer: OffsetsAnswer, from: From): void {
    const process = this.#names.connection(from);
    for (const { group, error, offsets, failed } of answer.groups) {
      if (error !== 'NONE' || failed.length > 0) continue;
      const fetch = { f: 'fetch-offsets', process, op: this.#names.op(), group } as const;
      this.#tell({ ...fetch, type: 'invoke' });
      this.#tell({ ...fetch, type: 'ok', offsets });
    }
  }

  #moved(process: string, partition: string, to: number): void {
    const before = this.#positions.get(`${process} ${partition}`);
    if (before === to) return;
    const why = before === undefined ? 'start' : 'seek';
    this.#tell({ f: 'position', type: 'info', process, partition, why, from: before ?? -1, to });
  }
}
