// The fault points that tell what became of a replica's log: log.flushed and log.truncated. They hold nothing.
import type { FaultPoints } from '../fault/reach.ts';
import type { LogEvents } from '../log/api.ts';
import type { Partition } from './partition.ts';

export function logObservations(faults: FaultPoints, replica: Partition): LogEvents {
  const where = () => ({ topic: replica.topic, partition: replica.partition, leaderEpoch: replica.leaderEpoch });
  return {
    flushed: (offset) => faults.observe('log.flushed', { ...where(), offset }),
    cut: (from, offset) => faults.observe('log.truncated', { ...where(), from, offset }),
  };
}
