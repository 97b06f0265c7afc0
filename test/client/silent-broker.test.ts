// What an admin tells of a cluster of which one broker is silent: the others' answers, and who is missing; never a
// transaction as hanging that the silent one may own (txn T-176, T-180; wire G-39).
import { describe, expect, test } from 'vitest';
import type { AdminFailure, AdminResult, Done } from '../../src/client/core/admin-calls.ts';
import type { GroupListing } from '../../src/client/core/admin-groups.ts';
import type { TransactionListing } from '../../src/client/core/admin-transactions.ts';
import { surveyHanging, type HangingSources, type HangingSurvey } from '../../src/client/core/hanging-survey.ts';
import type { ActiveProducer, PartitionProducers } from '../../src/protocol/generated/index.ts';
import { aClient } from './support/cluster.ts';
import { aWorld, asValue, T0, T1 } from './support/transactions-on-cluster.ts';
import { waitFor } from './support/wait.ts';

const PATIENCE_MS = 200;

describe('lists of all coordinators', () => {
  function withSilentBroker() {
    const made = aWorld(2);
    made.init();
    const client = aClient(made.cluster, 1002);
    const { transactions, groups } = client.admin();
    const coordinator = asValue(
      waitFor<AdminResult<TransactionListing>>(made.world, (done) => transactions.list({}, done)),
    ).transactions[0]!.coordinator;
    const silent = [1, 2, 3].find((id) => id !== coordinator)!;
    made.world.node(silent).pause();
    return { world: made.world, transactions, groups, silent };
  }

  test('txn T-176: ids of those that answer, and who does not', () => {
    const { world, transactions, silent } = withSilentBroker();
    const told = waitFor<AdminResult<TransactionListing>>(world, (done) => transactions.list({}, done, PATIENCE_MS));
    expect(asValue(told)).toMatchObject({
      transactions: [{ transactionalId: 'app' }],
      silent: [{ node: silent, message: `broker ${silent} did not answer in time` }],
    });
  });

  test('wire G-39: groups too', () => {
    const { world, groups, silent } = withSilentBroker();
    const told = waitFor<AdminResult<GroupListing>>(world, (done) => groups.list({}, done, PATIENCE_MS));
    expect(asValue(told)).toMatchObject({ groups: [], silent: [{ node: silent }] });
  });

  test('a refusal is no silence', () => {
    const { world, transactions } = withSilentBroker();
    const told = waitFor<AdminResult<TransactionListing>>(world, (done) =>
      transactions.list({ idPattern: '(' }, done, PATIENCE_MS),
    );
    expect(told).toMatchObject({ kind: 'failed', error: 'INVALID_REGULAR_EXPRESSION' });
  });
});

describe('txn T-180: a search for hanging transactions', () => {
  const SILENCE: AdminFailure = {
    kind: 'failed',
    error: 'REQUEST_TIMED_OUT',
    message: 'broker 2 did not answer in time',
  };
  const ok = <Value>(value: Value): AdminResult<Value> => ({ kind: 'ok', value });
  const open: ActiveProducer = {
    ...{ producerId: 7, producerEpoch: 3, lastSequence: 0, lastTimestampMs: 1000, coordinatorEpoch: -1 },
    currentTxnStartOffset: 40,
  };
  const tellsOpen = ({ topic, partition }: typeof T0): AdminResult<PartitionProducers> =>
    ok({ topic, partition, error: 'NONE' as const, producers: [open] });

  function search(changes: Partial<HangingSources>, mayMiss = true): AdminResult<HangingSurvey> {
    const nobody: TransactionListing = { transactions: [], unknownStates: [], silent: [] };
    const sources: HangingSources = {
      wallTime: () => 9000,
      producers: (of, told) => told(tellsOpen(of)),
      listed: (_, told) => told(ok(nobody)),
      described: (_, told) => told(ok([])),
      ...changes,
    };
    let result: AdminResult<HangingSurvey> | undefined;
    surveyHanging(sources, { partitions: [T0, T1], silentMs: 500, mayMiss }, (told) => (result = told));
    return result!;
  }

  const onlyT0 = (of: typeof T0, told: Done<PartitionProducers>): void =>
    told(of.partition === 0 ? tellsOpen(of) : SILENCE);

  test('a partition that nobody tells of is missed, the others are judged', () => {
    expect(asValue(search({ producers: onlyT0 }))).toMatchObject({
      ...{ hanging: [{ ...T0, startOffset: 40 }], undecided: [], silent: [] },
      missed: [{ ...T1, message: SILENCE.message }],
    });
    expect(search({ producers: onlyT0 }, false)).toEqual(SILENCE);
  });

  test('what no coordinator that answers knows is undecided while another is silent', () => {
    const silent = [{ node: 2, message: SILENCE.message }];
    const listed: HangingSources['listed'] = (_, told) => told(ok({ transactions: [], unknownStates: [], silent }));
    expect(asValue(search({ listed }))).toMatchObject({ hanging: [], undecided: [T0, T1], missed: [], silent });
  });

  test('all told: what nobody owns hangs', () => {
    expect(asValue(search({}))).toMatchObject({ hanging: [T0, T1], undecided: [], missed: [], silent: [] });
  });
});
