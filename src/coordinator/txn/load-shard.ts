// Reads the ids of a shard from its log (txn T-25, T-28, T-29): the last record of an id wins, a tombstone removes it,
// what is of an unknown version is told and passed over (txn T-9). What was read is not acted on before it is below the
// high watermark: else this leader may send markers of a decision that dies with it (txn INV-18, docs/divergence.md).
import type { Offset } from '../../base/units.ts';
import type { CoordinatorHost, Shard } from '../host.ts';
import { replayLog } from '../replay.ts';
import { loadedEntry } from './metadata.ts';
import type { TransactionEntry } from './metadata.ts';
import { IDENTITY_FIELDS, decodeRecord } from './record-codec.ts';

/** What a load came to. */
export type Load =
  | { readonly kind: 'loaded'; readonly entries: Map<string, TransactionEntry> }
  /** The shard ended meanwhile. */
  | { readonly kind: 'over' }
  /** Nothing of it may be served (txn T-28). */
  | { readonly kind: 'failed'; readonly reason: string };

/** Loads a shard; `done` comes later, once, unless it is cancelled by what is returned. */
export function loadShard(host: CoordinatorHost, shard: Shard, done: (load: Load) => void): () => void {
  const { runtime } = host;
  const entries = new Map<string, TransactionEntry>();
  const without = runtime.safeguard('epoch.retryIdentity') ? [] : IDENTITY_FIELDS;
  let corrupt: string | undefined;
  let cancelled = false;
  const cancel = replayLog(
    { clock: runtime.clock, log: () => host.log(shard) },
    {
      records: (records) => {
        for (const { key, value, offset } of records) {
          const decoded = decodeRecord(key, value, { without });
          if (decoded.kind === 'metadata') {
            entries.set(decoded.metadata.transactionalId, loadedEntry(decoded.metadata));
          } else if (decoded.kind === 'tombstone') entries.delete(decoded.transactionalId);
          else if (decoded.kind === 'corrupt') corrupt ??= `the record at ${offset}: ${decoded.why}`;
          else {
            const message = `txn T-9: ${shard.topic}-${shard.partition}: the record at ${offset} is passed over, ${decoded.what}`;
            runtime.trace({ type: 'log.line', level: 'warn', message });
          }
        }
      },
      marker: () => undefined,
      ended: (end) => {
        if (end.kind !== 'read') done(end);
        else if (corrupt !== undefined) done({ kind: 'failed', reason: corrupt });
        else {
          whenDurable(host, shard, end.endOffset, (kind) => {
            if (!cancelled) done(kind === 'over' ? { kind } : { kind, entries });
          });
        }
      },
    },
  );
  return () => {
    cancelled = true;
    cancel();
  };
}

/** Waits for the high watermark as long as this broker leads. */
function whenDurable(
  host: CoordinatorHost,
  shard: Shard,
  endOffset: Offset,
  done: (kind: 'loaded' | 'over') => void,
): void {
  // Such a coordinator acts on what is in its own log.
  if (!host.runtime.safeguard('txn.prepareDurable')) return done('loaded');
  host.whenCommitted(shard, endOffset, host.config['request.timeout.ms'], (error) => {
    if (error === 'NONE') done('loaded');
    else if (error === 'REQUEST_TIMED_OUT') whenDurable(host, shard, endOffset, done);
    else done('over');
  });
}
