// A leader that is cut off and does not know that it is deposed (repl ).
import { expect, test } from 'vitest';
import { CONTROLLER_ID } from '../../src/base/units.ts';
import type { NodeId } from '../../src/base/units.ts';
import type { FetchedPartition, ProducedPartition } from '../../src/protocol/generated/index.ts';
import { Fleet, TOPIC } from './support/fleet.ts';
import { batchOf } from './support/stage.ts';

/** Produces at a broker, whoever leads. */
function produceAt(fleet: Fleet, id: NodeId, value: string, acks: number): ProducedPartition {
  let answer: ProducedPartition | undefined;
  const partitions = [{ topic: TOPIC, partition: 0, records: batchOf(value) }];
  const request = {
    correlationId: 1,
    acks,
    timeoutMs: 500,
    transactionalId: '',
    transactionVersion: 0,
    clientId: '',
    partitions,
  };
  fleet.cluster
    .broker(id)!
    .api.produce(request, { zstdAllowed: true }, (response) => (answer = response.partitions[0]));
  fleet.until(() => answer !== undefined);
  return answer!;
}

/** Reads at a broker as a consumer, whoever leads. */
function readAt(fleet: Fleet, id: NodeId, fetchOffset: number): FetchedPartition {
  let fetched: FetchedPartition | undefined;
  const at = { topicId: '', topic: TOPIC, partition: 0, currentLeaderEpoch: -1, fetchOffset };
  const partitions = [{ ...at, lastFetchedEpoch: -1, logStartOffset: -1, partitionMaxBytes: 1_000_000 }];
  const request = {
    ...{ replicaId: -1, replicaEpoch: -1, streamGeneration: 0, sequence: 0, maxWaitMs: 0, minBytes: 1 },
    ...{ maxBytes: 1_000_000, isolationLevel: 0, full: true, partitions, forgotten: [], rackId: '', leaderOnly: false },
  };
  fleet.cluster.broker(id)!.api.fetch(request, (response) => (fetched = response.partitions[0]));
  fleet.until(() => fetched !== undefined);
  return fetched!;
}

test('repl R-105, T-26: the timeline of a zombie leader', () => {
  const fleet = new Fleet({ config: { 'auto.leader.rebalance.enable': 'false' } });
  const { cluster } = fleet;
  const sent = Array.from({ length: 10 }, (_, i) => fleet.send(`v${i}`));
  fleet.until(() => sent.every(({ result }) => result?.kind === 'ok') && fleet.converged);
  for (const id of [CONTROLLER_ID, 2, 1001]) {
    cluster.setLink(1, id, true);
    cluster.setLink(id, 1, true);
  }
  const end = fleet.replica(1)!.logEndOffset;

  // 1, 2: Y is acknowledged by the leader alone, and 3 fetches it; 2 holds the high watermark back.
  expect(produceAt(fleet, 1, 'Y', 1)).toMatchObject({ error: 'NONE', baseOffset: end });
  fleet.until(() => fleet.replica(1)!.followers.some((of) => of.brokerId === 3 && of.logEndOffset === end + 1));
  expect(fleet.replica(1)).toMatchObject({ role: 'leader', highWatermark: end });
  expect(fleet.log(3).at(-1)).toBe('Y/0');

  // 3, 4: the controller elects 2; X takes the place of Y, and 3 gives Y up.
  fleet.until(() => fleet.leader === 2);
  expect(fleet.isr).toEqual([2, 3]);
  const x = fleet.send('X');
  fleet.until(() => x.result !== undefined);
  expect(x.result).toMatchObject({ kind: 'ok', offset: end });
  expect([fleet.log(2).at(-1), fleet.log(3).at(-1)]).toEqual(['X/1', 'X/1']);

  // 5: 1 goes on. Its readers see what was committed and no more; acks=all waits in vain, and finds out nothing.
  expect(fleet.replica(1)).toMatchObject({ role: 'leader', leaderEpoch: 0, highWatermark: end });
  expect(readAt(fleet, 1, end)).toMatchObject({ error: 'NONE', highWatermark: end, records: Buffer.alloc(0) });
  expect(readAt(fleet, 1, 0).records.length).toBeGreaterThan(0);
  expect(produceAt(fleet, 1, 'Z', -1)).toMatchObject({ error: 'REQUEST_TIMED_OUT' });

  // 6: healed, it follows, and drops what only it had.
  cluster.heal(false);
  fleet.until(() => fleet.converged && fleet.isr.length === 3);
  for (const id of [1, 3]) expect(fleet.log(id)).toEqual(fleet.log(2));
  expect(fleet.log(2)).not.toContain('Y/0');
  const diverged = fleet.events.filter(({ node, event }) => node === 1 && event.type === 'diverged');
  expect(diverged.map(({ event }) => event)).toMatchObject([{ divergingEpoch: 0, endOffset: end, truncateTo: end }]);
});
