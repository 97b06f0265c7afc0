// The producer-state check of an append by a leader (repl R-8, txn T-98 to T-103, T-107): decided against what is reserved,
// counted or not. The rules are producer-entry.ts's and judge-transaction.ts's; here is what they need to know of the log.
import type { DurationMs, EpochMs } from '../base/units.ts';
import type { Safeguard } from '../fault/safeguards.ts';
import type { BatchHeader } from '../protocol/batch-header.ts';
import type { LeaderAppend } from './api.ts';
import { isControl, isTransactional } from './attributes.ts';
import { judgeGuard } from './judge-transaction.ts';
import type { LogLedger } from './log-ledger.ts';
import { duplicateOf, judgeBatch, judgeCoordinated } from './producer-entry.ts';
import type { ProducerVerdict } from './producer-entry.ts';
import type { Verifications } from './verifications.ts';

/** What the check goes by besides the log. */
export interface JudgeContext {
  readonly producerIdExpirationMs: DurationMs;
  /** transaction.partition.verification.enable (txn T-124). */
  readonly verificationEnabled: boolean;
  safeguard(name: Safeguard): boolean;
}

/** What of a log the check looks at. */
type Judged = Pick<LogLedger, 'producers' | 'decided' | 'index'> & { readonly verifications: Verifications };

/** Judges the batch with this header, stamped for the end of the log. Batches without a producer id are always next. */
export function judgeProducer(
  header: BatchHeader,
  { origin, now, guard }: Pick<LeaderAppend, 'origin' | 'now' | 'guard'>,
  ledger: Judged,
  context: JudgeContext,
): ProducerVerdict {
  const { producerId, attributes } = header;
  if (producerId < 0 || isControl(attributes)) return { kind: 'next' };
  const known = ledger.producers.of(producerId);
  const repeated = origin === 'client' && context.safeguard('seq.dedup') ? duplicateOf(known, header) : undefined;
  if (repeated !== undefined) return { kind: 'duplicate', of: repeated };
  const transactional = isTransactional(attributes);
  const fence = context.safeguard('epoch.produceFence');
  const pending = ledger.verifications.of(producerId);
  const verified =
    !context.verificationEnabled ||
    !context.safeguard('txn.verify') ||
    (guard !== undefined && (pending?.guard === guard || !context.safeguard('txn.guard')));
  const refused = transactional ? judgeGuard(known, header, verified, context) : undefined;
  if (refused !== undefined) return refused;
  if (origin === 'coordinator') return judgeCoordinated(known, header, fence);
  return judgeBatch(
    known,
    header,
    { transactional, verified: pending },
    {
      gapReject: context.safeguard('seq.gapReject'),
      firstIsZero: context.safeguard('seq.firstIsZero') && remembersAll(ledger, now, context.producerIdExpirationMs),
      wraps: context.safeguard('seq.wrap'),
      epochStartsAtZero: context.safeguard('seq.newEpochStartsAtZero'),
      fence,
    },
  );
}

/** Whether no producer that ever wrote here can have been forgotten: nothing was deleted, nothing is old enough. */
function remembersAll(ledger: Pick<LogLedger, 'decided' | 'index'>, now: EpochMs, expirationMs: DurationMs): boolean {
  if (ledger.decided.logStartOffset > 0) return false;
  const first = ledger.index.at(0);
  return first === undefined || now - first.maxTimestamp < expirationMs;
}
