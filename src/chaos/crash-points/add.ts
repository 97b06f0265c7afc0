// Rows CP-9 to CP-15: a transaction registers partitions and the offsets of a group. Under version 2 the leader does it while
// it takes the first write (txn T-59); the record and its points are the same.
import { crashAt, type CrashPoint } from './row.ts';

const ADD = { group: 'AddPartitions and AddOffsets' } as const;
const AS_ENDED = { commit: ['C'], abort: ['A'] } as const;

export const ADD_ROWS: readonly CrashPoint[] = [
  {
    ...ADD,
    ...{ id: 'CP-9', name: 'addparts-before-append', victim: 'C', point: 'validated, nothing appended' },
    requires: 'Retry at new C; without retry N (or previous content unchanged)',
    fates: AS_ENDED,
    faults: [crashAt('txn.add-partitions.deciding')],
  },
  {
    ...ADD,
    ...{ id: 'CP-10', name: 'addparts-appended-unreplicated', victim: 'C', point: 'Ongoing record on old leader only' },
    requires: 'Survives or not; retry is idempotent. If it survives and P dies: A by timeout',
    fates: AS_ENDED,
    faults: [crashAt('txn.add-partitions.appended')],
  },
  {
    ...ADD,
    ...{
      id: 'CP-11',
      name: 'addparts-replicated-response-lost',
      victim: 'C or net',
      point: 'Ongoing durable, no answer',
    },
    requires: 'Retry answered NONE without append; then as planned',
    fates: AS_ENDED,
    faults: [crashAt('txn.add-partitions.responding')],
  },
  {
    ...ADD,
    ...{ id: 'CP-12', name: 'addparts-second-partition-unreplicated', victim: 'C' },
    point: 'first partition durable, second record lost',
    requires: 'Second partition must not receive data before the retry succeeds; verification refuses it meanwhile',
    fates: AS_ENDED,
    faults: [crashAt('txn.add-partitions.appended', { nth: 2 })],
  },
  {
    ...ADD,
    ...{ id: 'CP-13', name: 'addoffsets-before-append', victim: 'C', point: 'validated, nothing appended' },
    requires: 'As addparts-before-append; TxnOffsetCommit refused until registered',
    fates: AS_ENDED,
    faults: [crashAt('txn.add-offsets.deciding')],
  },
  {
    ...ADD,
    ...{
      id: 'CP-14',
      name: 'addoffsets-appended-unreplicated',
      victim: 'C',
      point: 'Ongoing record on old leader only',
    },
    requires: 'As addparts-appended-unreplicated',
    fates: AS_ENDED,
    faults: [crashAt('txn.add-offsets.appended')],
  },
  {
    ...ADD,
    ...{
      id: 'CP-15',
      name: 'addoffsets-replicated-response-lost',
      victim: 'C or net',
      point: 'Ongoing durable, no answer',
    },
    requires: 'Retry NONE; if P dies: A, marker in the offsets partition is a no-op',
    fates: AS_ENDED,
    faults: [crashAt('txn.add-offsets.responding')],
  },
];
