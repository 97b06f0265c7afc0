// Asks leaders for what a consumer needs before it can read: offsets to start from (ListOffsets, repl R-37) and proof that a
// position still lies in the leader's log (OffsetsForLeaderEpoch, repl R-36). One request a leader and kind at a time.
import type { InstantMs, NodeId } from '../../base/units.ts';
import { NO_LEADER } from '../../base/units.ts';
import type { UnaryApi } from '../../protocol/apis.ts';
import type { RequestOf, ResponseOf } from '../../protocol/apis.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { EpochEndOffset, ListedOffset } from '../../protocol/generated/index.ts';
import { isolationOf } from './config.ts';
import type { ConsumerContext } from './consumer-context.ts';
import type { FetchPosition } from './fetch-position.ts';

/** The timestamps of ListOffsets that mean a place. */
export const LATEST = -1;
export const EARLIEST = -2;

/** A partition asked about, and its version when it was. */
interface Asked {
  readonly position: FetchPosition;
  readonly version: number;
}

/** Sends the lookups that the given positions need now. */
export function sendLookups(context: ConsumerContext, positions: Iterable<FetchPosition>, now: InstantMs): void {
  const resets = new Map<NodeId, FetchPosition[]>();
  const validations = new Map<NodeId, FetchPosition[]>();
  for (const position of positions) {
    if (position.state === 'fetch' || position.state === 'wait' || position.underWay || position.retryAt > now)
      continue;
    if (position.state === 'reset' && position.strategy === 'none') {
      context.raise(position, {
        kind: 'no-offset',
        error: 'OFFSET_OUT_OF_RANGE',
        message: 'there is no position, and auto.offset.reset is none: seek first',
      });
    } else if (position.leader === NO_LEADER) context.metadata.requestUpdate();
    else group(position.state === 'reset' ? resets : validations, position);
  }
  for (const [leader, group] of resets) sendListOffsets(context, leader, group);
  for (const [leader, group] of validations) sendOffsetsForLeaderEpoch(context, leader, group);
}

function group(groups: Map<NodeId, FetchPosition[]>, position: FetchPosition): void {
  const known = groups.get(position.leader);
  if (known === undefined) groups.set(position.leader, [position]);
  else known.push(position);
}

function sendListOffsets(context: ConsumerContext, leader: NodeId, positions: readonly FetchPosition[]): void {
  const request = {
    replicaId: -1,
    isolationLevel: isolationOf(context.config),
    partitions: positions.map(({ topic, partition, leaderEpoch, strategy }) => ({
      ...{ topic, partition, currentLeaderEpoch: leaderEpoch },
      timestamp: strategy === 'earliest' ? EARLIEST : LATEST,
    })),
  };
  ask(context, leader, { api: 'ListOffsets', request }, positions, (position, answer: ListedOffset) => {
    if (answer.offset < 0) context.failed(position, { refresh: false });
    else position.reset(answer.offset, answer.leaderEpoch);
  });
}

function sendOffsetsForLeaderEpoch(
  context: ConsumerContext,
  leader: NodeId,
  positions: readonly FetchPosition[],
): void {
  const request = {
    partitions: positions.map(({ topic, partition, leaderEpoch, offsetEpoch }) => ({
      ...{ topic, partition, currentLeaderEpoch: leaderEpoch },
      leaderEpoch: offsetEpoch,
    })),
  };
  ask(context, leader, { api: 'OffsetsForLeaderEpoch', request }, positions, (position, answer: EpochEndOffset) =>
    concludeValidation(context, position, answer),
  );
}

/** Repl R-36: what the leader says of the epoch of the last record read, against where we stand. */
function concludeValidation(context: ConsumerContext, position: FetchPosition, answer: EpochEndOffset): void {
  const policy = context.config['auto.offset.reset'];
  const known = answer.endOffset >= 0 && answer.leaderEpoch >= 0;
  if (known && answer.endOffset >= position.offset) return position.validated();
  if (policy === 'none') {
    const where = known ? `it ends at ${answer.endOffset} there` : 'the leader does not know that epoch';
    return context.raise(position, {
      kind: 'log-truncation',
      error: 'OFFSET_OUT_OF_RANGE',
      message: `the log was cut below position ${position.offset} (leader epoch ${position.offsetEpoch}): ${where}`,
      ...(known ? { divergentOffset: answer.endOffset } : {}),
    });
  }
  if (known) position.truncated(answer.endOffset, answer.leaderEpoch);
  else position.requestReset(policy, 'reset');
}

type LookupApi = 'ListOffsets' | 'OffsetsForLeaderEpoch';
type AnswerOf<A extends LookupApi> = ResponseOf<A>['partitions'][number];

/** Sends one lookup and gives each partition's good answer to `conclude`, unless the partition has moved on meanwhile. */
function ask<A extends LookupApi & UnaryApi>(
  context: ConsumerContext,
  leader: NodeId,
  call: { readonly api: A; readonly request: RequestOf<A> },
  positions: readonly FetchPosition[],
  conclude: (position: FetchPosition, answer: AnswerOf<A>) => void,
): void {
  const asked: Asked[] = positions.map((position) => ({ position, version: position.version }));
  for (const position of positions) position.underWay = true;
  const { network } = context.runtime;
  network.request(leader, call.api, call.request, context.config['request.timeout.ms'], (outcome) => {
    for (const { position } of asked) position.underWay = false;
    if (outcome.kind !== 'ok') context.metadata.nodeFailed(leader);
    const answers: readonly { topic: string; partition: number; error: ErrorName }[] =
      outcome.kind === 'ok' ? outcome.response.partitions : [];
    for (const { position, version } of asked) {
      if (position.version !== version) continue;
      const answer = answers.find((one) => one.topic === position.topic && one.partition === position.partition);
      if (answer === undefined) context.failed(position, { refresh: true });
      else if (answer.error !== 'NONE') context.onError(position, answer.error);
      else conclude(position, answer as AnswerOf<A>);
    }
    context.progress();
  });
}
