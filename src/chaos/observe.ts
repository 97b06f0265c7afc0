// Looks at every replica of a run's topics with DescribeReplicas, as often as it takes to see whole logs. How the question
// travels is the driver's.
import type { NodeId, Offset } from '../base/units.ts';
import type { ReplicaObservation } from '../history/operations.ts';
import type { ReplicaDescription } from '../protocol/generated/index.ts';
import type { ClusterDriver } from './driver.ts';
import { foundReplica } from './found-records.ts';

/** Asks a broker; undefined if it did not answer. */
export type AskBroker = ClusterDriver['ask'];

/** A replica as it was found. */
export type FoundReplica = Pick<
  ReplicaObservation,
  'partition' | 'node' | 'logStartOffset' | 'highWatermark' | 'logEndOffset' | 'records'
> & {
  readonly lastStableOffset: Offset;
};

const BATCHES_A_LOOK = 10_000;

/** All replicas of these topics on brokers that answer. One look, no waiting for agreement. */
export function observeReplicas(
  nodes: readonly NodeId[],
  topics: readonly string[],
  ask: AskBroker,
  done: (found: readonly FoundReplica[]) => void,
): void {
  const questions = nodes.flatMap((node) => topics.map((topic) => ({ node, topic })));
  together(
    questions.map(
      ({ node, topic }) =>
        (found: (replicas: readonly FoundReplica[]) => void) =>
          observeTopic(node, topic, ask, found),
    ),
    (found) => done(found.flat()),
  );
}

/** Asks all at once; the answers in the order of the questions. */
export function together<T>(
  questions: readonly ((answer: (value: T) => void) => void)[],
  done: (values: T[]) => void,
): void {
  const values: T[] = [];
  let open = questions.length;
  if (open === 0) done([]);
  questions.forEach((question, at) => {
    question((value) => {
      values[at] = value;
      open -= 1;
      if (open === 0) done(values);
    });
  });
}

function observeTopic(
  node: NodeId,
  topic: string,
  ask: AskBroker,
  done: (found: readonly FoundReplica[]) => void,
): void {
  const request = { topic, partition: -1, fromOffset: 0, maxBatches: BATCHES_A_LOOK };
  ask(node, 'DescribeReplicas', request, (response) => {
    const replicas = response?.replicas ?? [];
    const found: FoundReplica[] = [];
    const next = (at: number): void => {
      const replica = replicas[at];
      if (replica === undefined) return done(found);
      readOn({ node, ask, replica }, [replica.records], (records) => {
        if (records !== undefined) found.push(foundReplica(node, replica, records));
        next(at + 1);
      });
    };
    next(0);
  });
}

/** Reads the rest of a log; undefined if the broker stopped answering. */
function readOn(
  from: { readonly node: NodeId; readonly ask: AskBroker; readonly replica: ReplicaDescription },
  parts: readonly Buffer[],
  done: (records: Buffer | undefined) => void,
): void {
  const { topic, partition, nextOffset } = from.replica;
  if (nextOffset < 0) return done(Buffer.concat(parts));
  const request = { topic, partition, fromOffset: nextOffset, maxBatches: BATCHES_A_LOOK };
  from.ask(from.node, 'DescribeReplicas', request, (response) => {
    const more = response?.replicas[0];
    if (more === undefined) done(undefined);
    else readOn({ ...from, replica: more }, [...parts, more.records], done);
  });
}
