// The events of one log, as invariants and people see them.
import type { LeaderEpoch, Offset } from '../base/units.ts';
import type { Runtime } from '../runtime/ports.ts';
import type { BatchMark, MarkerMark } from '../trace/events.ts';
import { isControl, isTransactional } from './attributes.ts';
import type { IndexedBatch } from './batch-index.ts';
import type { Marker } from './control-batch.ts';
import type { LoadedLog } from './load-log.ts';
import type { LogState } from './log-state.ts';
import type { LogId } from './manager-api.ts';
import type { AbortedEntry } from './transactions-api.ts';

/** Why a log was cut, as the event says it. */
export type Why = 'truncated' | 'restarted';

export class LogTrace {
  readonly #runtime: Pick<Runtime, 'trace'>;
  readonly #partition: LogId;

  constructor(runtime: Pick<Runtime, 'trace'>, id: LogId) {
    this.#runtime = runtime;
    this.#partition = { topic: id.topic, topicId: id.topicId, partition: id.partition };
  }

  opened(loaded: LoadedLog, how: { readonly clean: boolean; readonly lossy: boolean }): void {
    this.#runtime.trace({
      type: 'log.opened',
      ...this.#partition,
      logStartOffset: loaded.state.logStartOffset,
      logEndOffset: loaded.state.endOffset,
      highWatermark: loaded.highWatermark,
      batches: loaded.index.entries().map(mark),
      epochs: loaded.state.epochs,
      clean: how.clean,
      cut: loaded.cut,
      lossy: how.lossy,
    });
  }

  appended(
    role: 'leader' | 'follower',
    leaderEpoch: LeaderEpoch,
    batches: readonly IndexedBatch[],
    logEndOffset: Offset,
  ): void {
    const { topic, topicId, partition } = this.#partition;
    this.#runtime.trace({
      ...{ type: 'log.appended', topic, topicId, partition, leaderEpoch, role },
      ...{ batches: batches.map(mark), logEndOffset },
    });
  }

  truncated(cut: { readonly from: Offset; readonly to: Offset; readonly highWatermark: Offset }, why: Why): void {
    this.#runtime.trace({ type: 'log.truncated', ...this.#partition, ...cut, why });
  }

  started(logStartOffset: Offset): void {
    this.#runtime.trace({ type: 'log.start', ...this.#partition, logStartOffset });
  }

  epochs(epochs: LogState['epochs']): void {
    this.#runtime.trace({ type: 'log.epochs', ...this.#partition, epochs });
  }

  aborted(entry: AbortedEntry): void {
    this.#runtime.trace({ type: 'aborted', ...this.#partition, ...entry });
  }

  cleaning(upTo: Offset): void {
    this.#runtime.trace({ type: 'log.cleaned', ...this.#partition, upTo });
  }

  producersExpired(producerIds: readonly number[]): void {
    this.#runtime.trace({ type: 'producers.expired', ...this.#partition, producerIds });
  }

  deleted(): void {
    this.#runtime.trace({ type: 'log.deleted', ...this.#partition });
  }
}

function mark(batch: IndexedBatch): BatchMark {
  const { baseOffset, lastOffset, leaderEpoch, crc, producerId, producerEpoch, baseSequence, attributes } = batch;
  // Whole literals: this runs for every batch of every replica.
  if (batch.marker !== undefined) {
    const marker = markerMark(batch.marker);
    return { marker, transactional: true, baseOffset, lastOffset, leaderEpoch, crc };
  }
  if (producerId < 0 || isControl(attributes)) return { baseOffset, lastOffset, leaderEpoch, crc };
  const producer = [producerId, producerEpoch, baseSequence] as const;
  if (!isTransactional(attributes)) return { producer, baseOffset, lastOffset, leaderEpoch, crc };
  return { producer, transactional: true, baseOffset, lastOffset, leaderEpoch, crc };
}

function markerMark({ producerId, producerEpoch, type: outcome, coordinatorEpoch }: Marker): MarkerMark {
  return { producerId, producerEpoch, outcome, coordinatorEpoch };
}
