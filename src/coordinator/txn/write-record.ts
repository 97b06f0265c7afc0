// Appends the record of a decision and puts it in force once it is durable (txn T-18, T-20, T-24), with the steps of
// its point. Whoever asked has begun the write (`beginWrite`) and says what follows.
import type { Offset } from '../../base/units.ts';
import type { PointFields } from '../../fault/reach.ts';
import { encodeBatch } from '../../log/encode-batch.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { CoordinatorHost } from '../host.ts';
import { appendError } from './append-error.ts';
import type { Write } from './decision.ts';
import type { TransactionEntry } from './metadata.ts';
import { IDENTITY_FIELDS, encodeKey, encodeValue } from './record-codec.ts';
import { markOf, ofShard, transactionFields } from './shard.ts';
import type { TransactionShard } from './shard.ts';
import { applyWrite } from './transitions.ts';

/** A write under way. */
export interface RecordWrite {
  readonly shard: TransactionShard;
  readonly entry: TransactionEntry;
  readonly write: Write;
  /** Fields of its point beside those of the id. */
  readonly fields: PointFields;
}

/** Finalized level of transaction.version (txn T-190). */
export function transactionLevel(host: CoordinatorHost): number {
  return host.image.features.get('transaction.version') ?? 0;
}

/**
 * Writes a record. `done` comes once: 'NONE' when it is in force; otherwise the error for the request (txn T-21), with
 * the entry as the write left it. NOT_COORDINATOR also stands for a shard that was lost: nothing of it changes then.
 */
export function writeRecord(host: CoordinatorHost, of: RecordWrite, done: (error: ErrorName) => void): void {
  const { shard, entry, write } = of;
  const { faults } = host.runtime;
  const apply = (): void => applyWrite(entry, write, host.runtime.safeguard('txn.pendingCas'));
  const fields = { ...transactionFields(shard, write.target), ...of.fields };
  let acted = false;
  const act = (offset: Offset): void => {
    if (acted) return;
    acted = true;
    if (!shard.holds(entry)) return done('NOT_COORDINATOR');
    trace(host, of, 'applied', offset);
    apply();
    done('NONE');
  };
  faults.reach(`${write.point}.deciding`, fields, () => {
    if (!shard.holds(entry)) return done('NOT_COORDINATOR');
    if (isRegistration(write) && !host.runtime.safeguard('txn.durableRegistration')) {
      apply();
      return done('NONE');
    }
    const options = { refuseBelowMinIsr: true, timeoutMs: write.target.timeoutMs };
    host.write(shard, encode(host, write), options, {
      appended: (info, proceed) => {
        trace(host, of, 'appended', info.baseOffset);
        faults.reach(`${write.point}.appended`, fields, () => {
          if (write.prepare !== undefined && !host.runtime.safeguard('txn.prepareDurable')) act(info.baseOffset);
          proceed();
        });
      },
      committed: (info) => {
        if (!acted) faults.reach(`${write.point}.durable`, fields, () => act(info.baseOffset));
      },
      failed: (error) => {
        if (acted) return;
        acted = true;
        done(shard.holds(entry) ? appendError(error) : 'NOT_COORDINATOR');
      },
    });
  });
}

/** Partitions or offsets are added to a transaction (txn T-56, T-60). */
function isRegistration({ point }: Write): boolean {
  return point === 'txn.add-partitions' || point === 'txn.add-offsets';
}

function encode(host: CoordinatorHost, { target }: Write): Buffer {
  const { clock } = host.runtime;
  const form = {
    level: transactionLevel(host),
    without: host.runtime.safeguard('epoch.retryIdentity') ? [] : IDENTITY_FIELDS,
  };
  const key = encodeKey(target.transactionalId);
  return encodeBatch([{ timestamp: clock.wallTime(), key, value: encodeValue(target, form) }]);
}

function trace(host: CoordinatorHost, of: RecordWrite, phase: 'appended' | 'applied', offset: Offset): void {
  const { transactionalId } = of.write.target;
  const record = markOf(of.write.target);
  host.runtime.trace({ type: 'txn.record', ...ofShard(of.shard), phase, offset, transactionalId, record });
}
