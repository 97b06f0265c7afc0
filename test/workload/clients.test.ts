// Workload clients on a simulated cluster: what they write down, in which order, and what they can be told.
import { describe, expect, test } from 'vitest';
import type { HistoryEntry } from '../../src/history/operations.ts';
import { startClient } from '../../src/workload/client.ts';
import type { ClientReport, OwnSpec, ConsumerSpec, ProducerSpec, WorkloadClient } from '../../src/workload/spec.ts';
import { aCluster, createTopic } from '../client/support/cluster.ts';

type Entry = Omit<HistoryEntry, 'index' | 'time'>;

interface Started {
  readonly client: WorkloadClient;
  readonly reports: ClientReport[];
  entries(): Entry[];
  run(ms: number): void;
  until(holds: () => boolean): void;
}

function aWorkload(spec: OwnSpec, more: { partitions?: number } = {}, node = 1002): Started {
  const cluster = aCluster();
  createTopic(cluster, 'orders', more);
  return { ...onCluster(cluster, spec, node) };
}

function onCluster({ cluster, world }: ReturnType<typeof aCluster>, spec: OwnSpec, node: number): Started {
  const reports: ClientReport[] = [];
  const surroundings = { profile: 'fast' as const, bootstrap: cluster.brokerIds };
  const client = cluster.spawnClient(node, (runtime) =>
    startClient(spec, surroundings, runtime, (report) => reports.push(report)),
  );
  return {
    ...{ client, reports },
    entries: () => reports.flatMap((report) => (report.kind === 'entry' ? [report.entry as Entry] : [])),
    run: (ms) => world.runFor(ms),
    until: (holds) => expect(world.run({ until: holds, maxMs: 30_000 })).toBe(true),
  };
}

const producer = (more: Partial<ProducerSpec> = {}): ProducerSpec => ({
  ...{ kind: 'produce', id: 'p', topic: 'orders', partitions: [0], acks: -1, inFlight: 1, config: {} },
  steps: [{ kind: 'send', values: ['a', 'b'] }],
  ...more,
});
const consumer = (more: Partial<ConsumerSpec> = {}): ConsumerSpec => ({
  ...{ kind: 'consume', id: 'c', partitions: [{ topic: 'orders', partition: 0 }], from: 'earliest', config: {} },
  ...more,
});
const done =
  ({ reports }: Started) =>
  (): boolean =>
    reports.at(-1)?.kind === 'done';

describe('a producer', () => {
  test('writes down each send before it leaves and when its fate is known, then is done', () => {
    const started = aWorkload(producer());
    started.until(done(started));
    const common = { f: 'send', process: 'p', partition: 'orders-0', acks: -1, idempotent: true };
    const by = { node: expect.any(Number) as number, leaderEpoch: 0 };
    expect(started.entries()).toEqual([
      { ...common, type: 'invoke', op: 0, value: 'a' },
      { ...common, type: 'ok', op: 0, value: 'a', offset: 0, retried: false, ...by },
      { ...common, type: 'invoke', op: 1, value: 'b' },
      { ...common, type: 'ok', op: 1, value: 'b', offset: 1, retried: false, ...by },
    ]);
  });

  test('sends one record a batch, over its partitions in turn, as many at once as it may', () => {
    const values = ['a', 'b', 'c', 'd'];
    const started = aWorkload(producer({ partitions: [0, 1], inFlight: 3, steps: [{ kind: 'send', values }] }), {
      partitions: 2,
    });
    started.until(done(started));
    expect(
      started
        .entries()
        .slice(0, 3)
        .map(({ type }) => type),
    ).toEqual(['invoke', 'invoke', 'invoke']);
    const landed = started.entries().filter((entry) => entry.f === 'send' && entry.type === 'ok');
    expect(landed.map((entry) => (entry as { partition?: string }).partition).sort()).toEqual([
      ...['orders-0', 'orders-0', 'orders-1', 'orders-1'],
    ]);
  });

  test('says nothing of idempotence where there is none', () => {
    const started = aWorkload(producer({ acks: 1 }));
    started.until(done(started));
    expect(started.entries().filter((entry) => 'idempotent' in entry)).toEqual([]);
  });

  test('acks=0 is ok without an offset', () => {
    const started = aWorkload(producer({ acks: 0 }));
    started.until(done(started));
    expect(started.entries()[1]).toEqual({
      ...{ f: 'send', type: 'ok', process: 'p', op: 0, partition: 'orders-0', value: 'a', acks: 0, retried: false },
    });
  });

  test('stands at a wait until it is told to go on from there', () => {
    const steps = [{ kind: 'wait' }, { kind: 'send', values: ['a'] }, { kind: 'wait' }] as const;
    const started = aWorkload(producer({ steps }));
    started.run(500);
    expect(started.reports).toEqual([{ kind: 'waiting', step: 0 }]);
    started.client.command({ kind: 'go', step: 2 });
    started.run(500);
    expect(started.reports).toHaveLength(1);
    started.client.command({ kind: 'go', step: 0 });
    started.until(() => started.reports.at(-1)?.kind === 'waiting');
    expect(started.reports.at(-1)).toEqual({ kind: 'waiting', step: 2 });
    started.client.command({ kind: 'go', step: 2 });
    started.until(done(started));
  });

  test('sleeps, and pauses between sends', () => {
    const started = aWorkload(
      producer({
        steps: [
          { kind: 'sleep', ms: 300 },
          { kind: 'send', values: ['a', 'b'] },
        ],
      }),
    );
    started.run(299);
    expect(started.reports).toEqual([]);
    started.client.command({ kind: 'pause' });
    started.run(500);
    expect(started.reports).toEqual([]);
    started.client.command({ kind: 'resume' });
    started.until(done(started));
    expect(started.entries()).toHaveLength(4);
  });

  test('a send that nobody answers is unknown when the client is told to stop', () => {
    const cluster = aCluster();
    createTopic(cluster, 'orders', { configs: { 'min.insync.replicas': '3' } });
    const started = onCluster(cluster, producer(), 1002);
    started.until(() => started.entries().length === 3);
    for (const id of cluster.cluster.brokerIds) cluster.cluster.pause(id);
    started.run(100);
    started.client.command({ kind: 'stop' });
    started.until(done(started));
    expect(started.entries().at(-1)).toMatchObject({ type: 'info', value: 'b' });
  });
});

describe('a consumer', () => {
  function read(spec: ConsumerSpec, values: number): { readonly writer: Started; readonly reader: Started } {
    const cluster = aCluster();
    createTopic(cluster, 'orders');
    const steps = [{ kind: 'send' as const, values: Array.from({ length: values }, (_, value) => `v${value}`) }];
    const writer = onCluster(cluster, producer({ steps }), 1002);
    writer.until(done(writer));
    return { writer, reader: onCluster(cluster, spec, 1003) };
  }
  const records = (started: Started): string[] =>
    started
      .entries()
      .flatMap((entry) =>
        (entry.f === 'poll' ? ((entry as { records?: { value: string }[] }).records ?? []) : []).map(
          ({ value }) => value,
        ),
      );
  const idle =
    ({ reports }: Started) =>
    (): boolean =>
      reports.at(-1)?.kind === 'polled-empty';

  test('writes down where it starts and what it is given, and tells when there is nothing', () => {
    const { reader } = read(consumer(), 3);
    reader.until(idle(reader));
    expect(reader.entries()[0]).toMatchObject({ f: 'position', why: 'start', from: -1, to: 0 });
    expect(records(reader)).toEqual(['v0', 'v1', 'v2']);
    const polls = reader.entries().filter(({ f }) => f === 'poll');
    expect(polls[0]).toMatchObject({ type: 'ok', from: 0 });
    expect(polls.at(-1)).toMatchObject({ to: 3, highWatermark: 3, leaderEpoch: 0 });
  });

  test('begins at an offset', () => {
    const { reader } = read(consumer({ from: 2 }), 3);
    reader.until(idle(reader));
    expect(records(reader)).toEqual(['v2']);
  });

  test('asks where its partitions end, again and again, and leaves no question open (repl R-37)', () => {
    const { reader } = read(consumer({ endsEveryMs: 50 }), 3);
    const ends = (): Entry[] => reader.entries().filter(({ f }) => f === 'end-offset');
    reader.until(() => ends().length >= 6);
    reader.client.command({ kind: 'stop' });
    const common = { f: 'end-offset', process: 'c', partition: 'orders-0' };
    expect(ends().slice(0, 2)).toMatchObject([
      { ...common, type: 'invoke' },
      { ...common, type: 'ok', offset: 3, leaderEpoch: 0 },
    ]);
    const begun = ends().filter(({ type }) => type === 'invoke');
    expect(ends().length).toBe(2 * begun.length);
    expect(reader.reports.at(-1)).toEqual({ kind: 'done' });
  });

  test('a pause is no empty poll, and resuming goes on where it was', () => {
    const { reader } = read(consumer({ config: { 'max.poll.records': 1 } }), 3);
    reader.until(() => records(reader).length === 1);
    reader.client.command({ kind: 'pause' });
    reader.run(1000);
    expect(records(reader)).toEqual(['v0']);
    expect(idle(reader)()).toBe(false);
    reader.client.command({ kind: 'resume' });
    reader.until(idle(reader));
    expect(records(reader)).toEqual(['v0', 'v1', 'v2']);
  });

  test('is done when it is told to stop, and says nothing more', () => {
    const { reader } = read(consumer(), 1);
    reader.until(idle(reader));
    reader.client.command({ kind: 'stop' });
    const count = reader.reports.length;
    reader.run(1000);
    expect(reader.reports).toHaveLength(count);
    expect(reader.reports.at(-1)).toEqual({ kind: 'done' });
  });
});

describe('a transactional producer', () => {
  test('may have several sends under way, in the order of its values; a commit waits for all of them', () => {
    const steps = [
      ...[{ kind: 'init' as const }, { kind: 'begin' as const }],
      ...[
        { kind: 'send' as const, topic: 'orders', partition: 0, values: ['a', 'b', 'c'] },
        { kind: 'commit' as const },
      ],
    ];
    const spec = { kind: 'transactional' as const, id: 't', transactionalId: 't', steps, config: {} };
    const told = (inFlight?: number): string[] => {
      const started = aWorkload(inFlight === undefined ? spec : { ...spec, inFlight });
      started.until(done(started));
      return started.entries().flatMap((entry) => {
        if (entry.f === 'commit') return [`commit ${entry.type}`];
        return entry.f === 'send' ? [`${(entry as { value?: string }).value!} ${entry.type}`] : [];
      });
    };
    expect(told()).toEqual(['a invoke', 'a ok', 'b invoke', 'b ok', 'c invoke', 'c ok', 'commit invoke', 'commit ok']);
    expect(told(2).slice(0, 3)).toEqual(['a invoke', 'b invoke', 'a ok']);
    expect(told(2).slice(-2)).toEqual(['commit invoke', 'commit ok']);
  });
});
