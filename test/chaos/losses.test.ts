// What is declared of a node that starts without what it had: where it had a part in what is committed, of how many such losses
// the partition survives, and when it is made good.
import { describe, expect, test } from 'vitest';
import { Losses } from '../../src/chaos/losses.ts';
import type { BudgetOp, NewEntry } from '../../src/history/operations.ts';
import { MetadataImage } from '../../src/metadata/image.ts';
import * as records from '../../src/metadata/records.ts';
import type { PartitionDelta } from '../../src/metadata/records.ts';
import type { MetadataRecord } from '../../src/protocol/generated/index.ts';

const T = { topicId: 'topic-1', partition: 0 };

/** orders-0 on brokers 1, 2 and 3, all of them in sync, with min.insync.replicas 2. */
class Stage {
  readonly image = new MetadataImage();
  readonly declared: string[] = [];
  readonly losses = new Losses(this.image, (entry) => this.#note(entry));

  constructor(level = 1) {
    this.tell(records.featureLevelRecord('eligible.leader.replicas.version', level));
    this.tell(records.configRecord('', 'min.insync.replicas', '1'));
    this.tell(records.topicRecord('orders', T.topicId));
    this.tell(records.configRecord('orders', 'min.insync.replicas', '2'));
    this.tell(records.partitionRecord(T, { replicas: [1, 2, 3], isr: [1, 2, 3], leader: 1 }));
  }

  tell(record: MetadataRecord): void {
    const offset = this.image.endOffset;
    this.image.apply(offset, record);
    this.losses.hear({ type: 'metadata.committed', offset, record });
  }

  change(delta: Omit<PartitionDelta, 'reason'>): void {
    this.tell(records.partitionChangeRecord(T, { ...delta, reason: 'fenced' }));
  }

  letIn(id: number): void {
    const broker = { id, incarnationId: `p${this.image.endOffset}`, brokerEpoch: this.image.endOffset, fenced: true };
    this.tell(records.registerBrokerRecord(broker, []));
  }

  #note(entry: NewEntry): void {
    const { what, partition, node, tolerated } = entry as BudgetOp;
    this.declared.push([what, partition, node, tolerated].filter((each) => each !== undefined).join(' '));
  }
}

test('txn T-114: what is compacted is declared, once, when it is made and when its topic becomes so', () => {
  const stage = new Stage();
  stage.tell(records.configRecord('orders', 'segment.ms', '5'));
  stage.tell(records.configRecord('orders', 'cleanup.policy', 'delete'));
  expect(stage.declared).toEqual([]);
  stage.tell(records.configRecord('orders', 'cleanup.policy', 'compact,delete'));
  stage.tell(records.partitionRecord({ ...T, partition: 1 }, { replicas: [1], isr: [1], leader: 1 }));
  expect(stage.declared).toEqual(['compaction orders-0', 'compaction orders-1']);
});

test('txn T-114: a topic without a policy of its own has that of the cluster, as its brokers were started or as it was set', () => {
  const declared: string[] = [];
  const note = (entry: NewEntry): void => void declared.push((entry as BudgetOp).partition);
  const image = new MetadataImage();
  const losses = new Losses(image, note, { 'log.cleanup.policy': 'compact' });
  const tell = (record: MetadataRecord): void => {
    const offset = image.endOffset;
    image.apply(offset, record);
    losses.hear({ type: 'metadata.committed', offset, record });
  };
  const make = (topic: string, policy?: string): void => {
    tell(records.topicRecord(topic, topic));
    if (policy !== undefined) tell(records.configRecord(topic, 'cleanup.policy', policy));
    tell(records.partitionRecord({ topicId: topic, partition: 0 }, { replicas: [1], isr: [1], leader: 1 }));
  };
  make('a');
  make('b', 'delete');
  expect(declared).toEqual(['a-0']);
  tell(records.configRecord('', 'log.cleanup.policy', 'delete'));
  make('c');
  expect(declared).toEqual(['a-0']);
  tell(records.configRecord('', 'log.cleanup.policy', 'compact,delete'));
  expect(declared).toEqual(['a-0', 'c-0']);
});

describe('a loss is declared', () => {
  test('of a member of the ISR: the partition survives one less than its min ISR', () => {
    const stage = new Stage();
    stage.losses.begin(2, 'power-loss');
    expect(stage.declared).toEqual(['power-loss orders-0 2 1']);
  });

  test('of one that is eligible, and of the last-known leader', () => {
    const stage = new Stage();
    stage.change({ isr: [], elr: [2], leader: -1, lastKnownElr: [1] });
    for (const node of [1, 2]) stage.losses.begin(node, 'wipe');
    expect(stage.declared).toEqual(['wipe orders-0 1 1', 'wipe orders-0 2 1']);
  });

  test('not of one that had no part in it any more', () => {
    const stage = new Stage();
    stage.change({ isr: [1, 2] });
    stage.losses.begin(3, 'wipe');
    expect(stage.declared).toEqual([]);
  });

  test('of one that is taken in before its successor is: it is taken for the process that had everything', () => {
    const stage = new Stage();
    stage.change({ isr: [1, 2] });
    stage.losses.begin(3, 'wipe');
    stage.change({ isr: [1, 2, 3] });
    expect(stage.declared).toEqual(['wipe orders-0 3 1']);
  });

  test('BUG-05: not of one that is taken in after it', () => {
    const stage = new Stage();
    stage.change({ isr: [1, 2] });
    stage.losses.begin(3, 'wipe');
    stage.letIn(3);
    stage.change({ isr: [1, 2, 3] });
    expect(stage.declared).toEqual([]);
  });

  test('without eligible leader replicas nothing is survived', () => {
    const stage = new Stage(0);
    stage.losses.begin(1, 'power-loss');
    expect(stage.declared).toEqual(['power-loss orders-0 1 0']);
  });

  test('the lowest min ISR counts: so few may have acknowledged what is lost', () => {
    const stage = new Stage();
    stage.tell(records.configRecord('orders', 'min.insync.replicas', '1'));
    stage.tell(records.configRecord('orders', 'min.insync.replicas', '3'));
    stage.losses.begin(1, 'power-loss');
    expect(stage.declared).toEqual(['power-loss orders-0 1 0']);
  });
});

test('one that comes before the last was made good is another one', () => {
  const stage = new Stage();
  stage.losses.begin(1, 'power-loss');
  stage.change({ isr: [], leader: -1, lastKnownElr: [1] });
  stage.letIn(1);
  stage.change({ isr: [1], leader: 1, lastKnownElr: [] });
  stage.losses.begin(1, 'power-loss');
  expect(stage.declared).toEqual(['power-loss orders-0 1 1', 'power-loss orders-0 1 1']);
});

describe('it is made good', () => {
  test('when the replica is back in the ISR of another leader', () => {
    const stage = new Stage();
    stage.losses.begin(2, 'power-loss');
    stage.change({ isr: [1, 3] });
    stage.letIn(2);
    stage.change({ isr: [1, 2, 3] });
    expect(stage.declared).toEqual(['power-loss orders-0 2 1', 'made-good orders-0 2']);
  });

  test('not when it leads itself: there was nobody to fetch from', () => {
    const stage = new Stage();
    stage.change({ isr: [], leader: -1, lastKnownElr: [1] });
    stage.losses.begin(1, 'power-loss');
    stage.letIn(1);
    stage.change({ isr: [1], leader: 1, lastKnownElr: [] });
    stage.change({ isr: [1, 2] });
    expect(stage.declared).toEqual(['power-loss orders-0 1 1']);
  });
});

test('what a controller that starts again repeats is heard once; unclean elections are told apart', () => {
  const stage = new Stage();
  const record = records.configRecord('orders', 'min.insync.replicas', '1');
  stage.losses.hear({ type: 'metadata.committed', offset: 1, record });
  stage.losses.begin(1, 'power-loss');
  expect(stage.declared).toEqual(['power-loss orders-0 1 1']);
  const elected = {
    type: 'elected',
    topic: 'orders',
    ...T,
    leaderEpoch: 1,
    leader: 1,
    isr: [1],
    unclean: true,
  } as const;
  stage.losses.hear({ ...elected, reason: 'last-known' });
  stage.losses.hear({ ...elected, reason: 'unclean' });
  expect(stage.declared.slice(1)).toEqual(['last-known-election orders-0', 'unclean-election orders-0']);
});
