// Looks at every replica of one broker with DescribeReplicas, as often as it takes to see whole logs. Both drivers use it;
// they differ only in how the question travels.
import type { NodeId } from '../base/units.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { ReplicaDescription } from '../protocol/generated/index.ts';
import type { FoundReplica } from './driver.ts';
import { foundReplica } from './found-records.ts';

/** Asks a broker; undefined if it did not answer. */
export type AskBroker = (
  node: NodeId,
  request: RequestOf<'DescribeReplicas'>,
  done: (response: Pick<ResponseOf<'DescribeReplicas'>, 'replicas'> | undefined) => void,
) => void;

const BATCHES_A_LOOK = 10_000;

/** All replicas on brokers that answer. */
export function observeBrokers(
  nodes: readonly NodeId[],
  ask: AskBroker,
  done: (found: readonly FoundReplica[]) => void,
): void {
  const found = new Map<NodeId, readonly FoundReplica[]>();
  let open = nodes.length;
  const finish = (): void => done(nodes.flatMap((node) => found.get(node) ?? []));
  if (open === 0) finish();
  for (const node of nodes) {
    observeBroker(node, ask, (replicas) => {
      found.set(node, replicas);
      open -= 1;
      if (open === 0) finish();
    });
  }
}

function observeBroker(node: NodeId, ask: AskBroker, done: (found: readonly FoundReplica[]) => void): void {
  ask(node, { topic: '', partition: -1, fromOffset: 0, maxBatches: BATCHES_A_LOOK }, (response) => {
    const replicas = response?.replicas ?? [];
    const found: FoundReplica[] = [];
    const next = (at: number): void => {
      const replica = replicas[at];
      if (replica === undefined) return done(found);
      readOn(node, ask, replica, [replica.records], (records) => {
        if (records !== undefined) found.push(foundReplica(node, replica, records));
        next(at + 1);
      });
    };
    next(0);
  });
}

/** Reads the rest of a log; undefined if the broker stopped answering. */
function readOn(
  node: NodeId,
  ask: AskBroker,
  replica: ReplicaDescription,
  parts: readonly Buffer[],
  done: (records: Buffer | undefined) => void,
): void {
  const { topic, partition, nextOffset } = replica;
  if (nextOffset < 0) return done(Buffer.concat(parts));
  ask(node, { topic, partition, fromOffset: nextOffset, maxBatches: BATCHES_A_LOOK }, (response) => {
    const more = response?.replicas[0];
    if (more === undefined) done(undefined);
    else readOn(node, ask, more, [...parts, more.records], done);
  });
}
