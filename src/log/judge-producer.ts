// The producer-state check of an append by a leader (repl R-8, txn T-98 to T-103, T-107): decided against what is reserved,
// counted or not. The rules are producer-entry.ts's; here is what they need to know of the log.
import type { DurationMs, EpochMs } from '../base/units.ts';
import type { Safeguard } from '../fault/safeguards.ts';
import type { BatchHeader } from '../protocol/batch-header.ts';
import type { LeaderAppend } from './api.ts';
import { isControl, isTransactional } from './attributes.ts';
import type { LogLedger } from './log-ledger.ts';
import { judgeBatch, judgeCoordinated } from './producer-entry.ts';
import type { ProducerVerdict } from './producer-entry.ts';

/** What the check goes by besides the log. */
export interface JudgeContext {
  readonly producerIdExpirationMs: DurationMs;
  safeguard(name: Safeguard): boolean;
}

/** Judges the batch with this header, stamped for the end of the log. Batches without a producer id are always next. */
export function judgeProducer(
  header: BatchHeader,
  { origin, now }: Pick<LeaderAppend, 'origin' | 'now'>,
  ledger: Pick<LogLedger, 'producers' | 'decided' | 'index'>,
  context: JudgeContext,
): ProducerVerdict {
  const { producerId, attributes } = header;
  if (producerId < 0 || isControl(attributes)) return { kind: 'next' };
  const known = ledger.producers.of(producerId);
  if (origin === 'coordinator') return judgeCoordinated(known, header);
  return judgeBatch(known, header, isTransactional(attributes), {
    dedup: context.safeguard('seq.dedup'),
    gapReject: context.safeguard('seq.gapReject'),
    firstIsZero: context.safeguard('seq.firstIsZero') && remembersAll(ledger, now, context.producerIdExpirationMs),
  });
}

/** Whether no producer that ever wrote here can have been forgotten: nothing was deleted, nothing is old enough. */
function remembersAll(ledger: Pick<LogLedger, 'decided' | 'index'>, now: EpochMs, expirationMs: DurationMs): boolean {
  if (ledger.decided.logStartOffset > 0) return false;
  const first = ledger.index.at(0);
  return first === undefined || now - first.maxTimestamp < expirationMs;
}
