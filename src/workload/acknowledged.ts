// What a history says of a send that was acknowledged.
import type { SendOk } from '../client/core/producer-record.ts';
import type { SendOp } from '../history/operations.ts';

/** Where it landed, and who said so in which leader epoch; acks=0 tells neither. */
export function acknowledged({
  offset,
  retried,
  by,
}: SendOk): Pick<SendOp, 'offset' | 'retried' | 'node' | 'leaderEpoch'> {
  if (offset < 0) return by === undefined ? { retried } : { retried, ...by };
  return by === undefined ? { offset, retried } : { offset, retried, node: by.node, leaderEpoch: by.leaderEpoch };
}
