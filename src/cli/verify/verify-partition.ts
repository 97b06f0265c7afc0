// Compares the replicas of one partition: whole up to the smallest high watermark, where they must be the same (repl I-7),
// and beyond it for what each holds, which may differ until a follower has cut its log. How replicas are asked is the
// caller's.
import type { LeaderEpoch, NodeId, Offset } from '../../base/units.ts';
import { BatchCursor } from './batch-cursor.ts';
import { isDamaged, stretches, type Likeness, type Stretch } from './stretches.ts';

/** Where the log of a replica begins and ends. */
export interface ReplicaEnds {
  readonly logStartOffset: Offset;
  readonly highWatermark: Offset;
  readonly logEndOffset: Offset;
}

/** A replica that can be asked. */
export interface ReplicaSource {
  readonly node: NodeId;
  /** undefined: it does not answer, or holds no such replica. */
  ends(): Promise<ReplicaEnds | undefined>;
  /** Its batches from the one that holds `from` to its end. */
  read(from: Offset): AsyncIterable<Buffer>;
}

/** What one replica holds of a stretch. */
export interface HeldBatches {
  readonly node: NodeId;
  /** Leader epochs of its batches there; none: it holds nothing. */
  readonly epochs: readonly LeaderEpoch[];
  readonly checksums: readonly string[];
  /** Bytes that their checksum does not match. */
  readonly damaged: boolean;
}

/** Offsets that the replicas hold in one and the same way. */
export interface HeldStretch {
  readonly firstOffset: Offset;
  readonly lastOffset: Offset;
  readonly likeness: Likeness;
  readonly on: readonly HeldBatches[];
}

export interface PartitionComparison {
  /** Replicas that were compared. */
  readonly replicas: readonly NodeId[];
  /** Replicas that could not be asked. */
  readonly silent: readonly NodeId[];
  /** The largest log start and the smallest high watermark: between them everything must be the same. */
  readonly from: Offset;
  readonly upTo: Offset;
  /** Batches of the longest log between them. */
  readonly batches: number;
  /** The first stretch between them that is not the same, and how many are not. */
  readonly divergence?: HeldStretch & { readonly count: number };
  /** What lies beyond, if not all have the same. */
  readonly tail: readonly HeldStretch[];
  /** Where the tail was left, because it is very long. */
  readonly tailCutAt?: Offset;
}

/** Stretches of the tail that are looked at. */
const TAIL_MAX = 10_000;

/** Compares those of `sources` that answer. */
export async function comparePartition(
  sources: readonly ReplicaSource[],
  settings: { readonly compacted: boolean },
): Promise<PartitionComparison> {
  const asked = await Promise.all(sources.map(async (source) => ({ source, ends: await source.ends() })));
  const there = asked.flatMap(({ source, ends }) => (ends === undefined ? [] : [{ source, ends }]));
  const silent = asked.filter(({ ends }) => ends === undefined).map(({ source }) => source.node);
  const from = Math.max(0, ...there.map(({ ends }) => ends.logStartOffset));
  const upTo = there.length === 0 ? 0 : Math.min(...there.map(({ ends }) => ends.highWatermark));
  const replicas = there.map(({ source }) => source.node);
  const walk = new Walk(
    there.map(({ source }) => source),
    { from, upTo, ...settings },
  );
  const cursors = await Promise.all(there.map(({ source }) => BatchCursor.at(source.read(from))));
  for await (const stretch of stretches(cursors, settings)) if (!(await walk.take(stretch))) break;
  return { replicas, silent, from, upTo, ...walk.found() };
}

/** Gathers what is to be said while the logs are gone through. */
class Walk {
  readonly #sources: readonly ReplicaSource[];
  readonly #upTo: Offset;
  readonly #compacted: boolean;
  #from: Offset;
  #batches = 0;
  #first: HeldStretch | undefined;
  #differing = 0;
  readonly #tail: HeldStretch[] = [];
  #tailStretches = 0;
  #tailCutAt: Offset | undefined;

  constructor(
    sources: readonly ReplicaSource[],
    { from, upTo, compacted }: { readonly from: Offset; readonly upTo: Offset; readonly compacted: boolean },
  ) {
    this.#sources = sources;
    this.#from = from;
    this.#upTo = upTo;
    this.#compacted = compacted;
  }

  /** False: no more is wanted. */
  async take(stretch: Stretch): Promise<boolean> {
    if (stretch.firstOffset >= this.#upTo) return this.#beyond(stretch);
    this.#batches += Math.max(...stretch.held.map((batches) => batches.length));
    const alike = stretch.likeness === 'same' || (stretch.likeness === 'behind' && this.#compacted);
    if (alike || (await this.#isDeletedNow(stretch))) return true;
    this.#first ??= this.#described(stretch);
    this.#differing += 1;
    return true;
  }

  found(): Pick<PartitionComparison, 'batches' | 'divergence' | 'tail' | 'tailCutAt'> {
    const differs = this.#tail.some(({ likeness }) => likeness !== 'same');
    return {
      batches: this.#batches,
      ...(this.#first === undefined ? {} : { divergence: { ...this.#first, count: this.#differing } }),
      tail: differs ? this.#tail : [],
      ...(this.#tailCutAt === undefined ? {} : { tailCutAt: this.#tailCutAt }),
    };
  }

  /** Retention may have passed by while the logs were read: what some have deleted need not be the same. */
  async #isDeletedNow({ lastOffset }: Stretch): Promise<boolean> {
    if (lastOffset >= this.#from) {
      const ends = await Promise.all(this.#sources.map((source) => source.ends()));
      this.#from = Math.max(this.#from, ...ends.map((each) => each?.logStartOffset ?? 0));
    }
    return lastOffset < this.#from;
  }

  #beyond(stretch: Stretch): boolean {
    this.#tailStretches += 1;
    if (this.#tailStretches > TAIL_MAX) {
      this.#tailCutAt = stretch.firstOffset;
      return false;
    }
    const next = this.#described(stretch);
    const last = this.#tail.at(-1);
    if (last !== undefined && heldAlike(last, next)) {
      this.#tail[this.#tail.length - 1] = { ...last, lastOffset: next.lastOffset };
    } else this.#tail.push(next);
    return true;
  }

  #described({ firstOffset, lastOffset, likeness, held }: Stretch): HeldStretch {
    const on = held.map((batches, at) => ({
      node: this.#sources[at]!.node,
      epochs: [...new Set(batches.map(({ header }) => header.leaderEpoch))],
      checksums: batches.map(({ header }) => header.crc.toString(16).padStart(8, '0')),
      damaged: batches.some(isDamaged),
    }));
    return { firstOffset, lastOffset, likeness, on };
  }
}

/** One line says both: the same epochs on each replica. */
function heldAlike(a: HeldStretch, b: HeldStretch): boolean {
  const shape = ({ likeness, on }: HeldStretch): string =>
    JSON.stringify([likeness, on.map(({ epochs, damaged }) => [epochs, damaged])]);
  return shape(a) === shape(b);
}
