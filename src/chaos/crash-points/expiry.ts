// Rows CP-96 and CP-97: transactional ids that nobody has used for long, and are forgotten just as somebody comes back.
import type { RawFault } from '../schema.ts';
import { crashAt, WORK, type CrashPoint } from './row.ts';

const EXPIRY = {
  group: 'Expiry',
  config: {
    'transactional.id.expiration.ms': 2000,
    'transaction.remove.expired.transaction.cleanup.interval.ms': 200,
  },
} as const;
const BOTH = { commit: ['C'], abort: ['A'] } as const;

export const EXPIRY_ROWS: readonly CrashPoint[] = [
  {
    ...EXPIRY,
    ...{ id: 'CP-96', name: 'expiry-tombstone-unreplicated', victim: 'C', point: 'tombstone on old leader only' },
    requires: 'Id present or absent; if absent next init starts a new PID',
    fates: BOTH,
    nextAfter: 'crash',
    faults: [crashAt('txn.expire.appended')],
    expect: [{ order: ['app.done', 'crash', 'next.init.ok'] }],
  },
  {
    ...EXPIRY,
    ...{ id: 'CP-97', name: 'expiry-races-add', victim: 'none', point: 'AddPartitions while Dead is pending' },
    requires: 'CONCURRENT_TRANSACTIONS, then INVALID_PRODUCER_ID_MAPPING or success if the tombstone failed',
    fates: BOTH,
    steps: [...WORK, '${outcome}', { wait: 'crash' }, 'begin', 'send orders/0 b0', 'commit'],
    faults: [
      crashAt('txn.expire.appended', { do: 'hold', until: 'crash + 500ms' }),
      refusedBy('client', 'AddPartitionsToTxn'),
      refusedBy('leader', 'VerifyTransactions'),
    ],
    expect: [
      { when: { version: 1 }, order: ['crash', 'client-refused', 'app.send(b0)', 'next.init.ok'] },
      { when: { version: 2 }, order: ['crash', 'leader-refused', 'app.send(b0)', 'next.init.ok'] },
      { client: 'app', op: 'send', outcome: 'error', code: 'INVALID_PRODUCER_ID_MAPPING' },
    ],
  },
];

/** The coordinator tells whoever adds the partition to wait: the client, or under version 2 the leader. */
function refusedBy(whom: string, api: string): RawFault {
  const what = { id: `${whom}-refused`, at: `rpc.${api}.response`, optional: true };
  return { ...what, where: { error: 'CONCURRENT_TRANSACTIONS' }, do: 'notify' };
}
