// What each anomaly is, what looks like it and is legal: for `highwater explain`. What finds them is the checkers' own room.
import type { AnomalyName } from '../../checker/findings.ts';

export interface AnomalyWords {
  /** The promise that is broken. */
  readonly is: string;
  /** What looks like it, and is no anomaly. */
  readonly isNot: string;
}

/** In the order of the checkers. */
export const ANOMALY_WORDS: Readonly<Record<AnomalyName, AnomalyWords>> = {
  'lost-write': {
    is: 'A record was acknowledged with acks=all and is in no log any more.',
    isNot:
      'Records sent with acks=1 or 0; what an unclean election or the loss of more disks than promised took away; a value ' +
      'that was only never read: a reader may be behind.',
  },
  unseen: {
    is:
      'A record was acknowledged and stands in the log, and a consumer that was let read to the end was never given it. Nothing is ' +
      'lost: it stalls, or is told too low an end.',
    isNot:
      'A consumer that is behind while things go on; what an open transaction holds back from read_committed; one that was told ' +
      'an error and waits for its application.',
  },
  'ghost-read': {
    is: 'A consumer was given a record that no replica holds in the end: it was read before it was safe.',
    isNot: 'A record that retention or `topics delete-records` removed after it was read.',
  },
  'inconsistent-offsets': {
    is: 'Two values were seen at one offset of one partition.',
    isNot: 'Gaps: markers take offsets, and compaction leaves holes.',
  },
  'poll-skip': {
    is: 'A consumer moved past records that were there without being given them.',
    isNot:
      'Gaps of markers and of aborted records for read_committed; records that were deleted; a jump after a rebalance or a seek.',
  },
  'nonmonotonic-poll': {
    is: 'One consumer was given an offset again, or one behind what it already had, with nothing that sent it back.',
    isNot: 'Reading again after a rebalance from the committed offset: at-least-once.',
  },
  'log-divergence': {
    is: 'Two replicas of a partition hold different records at one offset once everything is healed and quiet.',
    isNot: 'Different ends while a follower is catching up; different starts.',
  },
  duplicate: {
    is: 'A record that an idempotent producer sent once stands twice in the log.',
    isNot: 'The same of a producer without idempotence that retried; the same value sent twice by the application.',
  },
  reorder: {
    is: 'Records of one idempotent producer stand in the log in another order than they were sent.',
    isNot: 'Any order between two producers.',
  },
  'aborted-read': {
    is: 'A read_committed consumer was given a record of a transaction that was aborted (G1a).',
    isNot: 'The same of a read_uncommitted consumer.',
  },
  'precommitted-read': {
    is: 'A read_committed consumer was given a record before its transaction was decided.',
    isNot: 'A record whose commit was decided, though not all of its markers were written.',
  },
  'torn-txn': {
    is: 'Of one transaction some effects (records, offsets) are visible and others are not, once everything is quiet.',
    isNot: 'Effects that become visible one partition after another: atomic is the outcome, not the moment.',
  },
  'hanging-txn': {
    is: 'A transaction is open in a partition and no coordinator knows of it: nobody will ever end it.',
    isNot: 'A decided transaction whose markers are on their way; that becomes a stall if they never come.',
  },
  'lost-offset-commit': {
    is: 'A commit of offsets was acknowledged and is not what the group reads later.',
    isNot: 'One that a later commit replaced; one that expired.',
  },
  'offset-regression': {
    is: 'The committed offset of a group went back, and nobody reset it.',
    isNot: 'A member that commits less than another had read; a deleted topic that begins anew.',
  },
  'eos-violation': {
    is: 'In a consume-transform-produce job an input record below the committed offset has not exactly one visible output.',
    isNot: 'Copies that were aborted; work behind the committed offset.',
  },
  'double-owner': {
    is: 'Two members of a group own one partition in one generation, or two coordinators answer for one shard in one epoch.',
    isNot: 'A zombie of an older generation that still believes: it is fenced when it commits.',
  },
  'double-leader': {
    is:
      'Two brokers acknowledged records of one partition in one leader epoch, or one did with acks=all in an epoch that was over for ' +
      'its client.',
    isNot:
      'A deposed leader that acknowledges acks=1 until it hears of its successor; what was under way as leadership moved; what ' +
      'follows an unclean election.',
  },
  'self-fence': {
    is: 'A producer was fenced though nobody else took its transactional id and nothing of it timed out.',
    isNot: 'A second instance with the same id; a transaction that was longer than its timeout.',
  },
  'false-fail': {
    is: 'An operation was refused with an error that says "this did not happen and will not", and its effect is there.',
    isNot: 'An error that leaves the outcome open (REQUEST_TIMED_OUT, a lost connection): then either is right.',
  },
  'false-ok': {
    is: 'An operation was acknowledged and its effect is not what the acknowledgement said.',
    isNot: 'A record that was lost later: that is a lost write.',
  },
  'hw-regression': {
    is: 'What a leader had told to be below the high watermark is not any more.',
    isNot: 'The older high watermark of a new leader before its first fetches: it is not told as the end of the log.',
  },
  'end-regression': {
    is: 'The end of a partition was told lower than it had been told before.',
    isNot: 'A deposed leader that answers from what it has; a partition that an unclean election shortened.',
  },
  stall: {
    is:
      'Something that had to end after everything was healed did not: an operation, a decided transaction, a replica that ' +
      'never catches up.',
    isNot: 'Whoever is dead or paused owes nothing.',
  },
};
