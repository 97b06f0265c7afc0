// Failures of the corpus: replication.
import type { CorpusRows } from './row.ts';

export const CORPUS_REPLICATION: CorpusRows = {
  1: {
    title: 'An acknowledged record vanishes because a follower truncates to its own high watermark, one round behind',
    file: 'bug-01-own-watermark',
  },
  2: {
    title: 'Same offset, two different records on two replicas after a double power loss',
    file: 'bug-02-two-at-one-offset',
  },
  3: {
    title:
      'An isolated leader is the whole ISR and acknowledges alone; then somebody who knows nothing of it is elected',
    file: 'bug-03-lone-leader',
  },
  4: {
    title: 'Last replica standing: the only member of the ISR loses power, and everybody truncates to it',
    file: 'bug-04-last-replica',
  },
  5: { title: 'A delayed AlterPartition puts a freshly wiped broker into the ISR', file: 'bug-05-wiped-member' },
  6: {
    title: 'A deposed leader raises its high watermark before it truncates, and serves records that never existed',
    file: 'bug-06-shown-before-cut',
  },
  16: {
    title: 'A consumer reads what only the leader has, and the leader dies; and acks=all that waits for nobody',
    file: 'bug-16-read-too-far',
  },
  17: {
    title: 'A leader goes on without the member it has proposed, and does not hear that the controller took it back',
    file: 'bug-17-unseen-member',
  },
  18: {
    title: 'A follower that hears of no elections goes on fetching, and ends with a wrong record in the middle',
    file: 'bug-18-zombie-follower',
  },
  19: { title: 'A follower joins the ISR without what was acknowledged before', file: 'bug-19-early-member' },
  24: {
    title: 'A leader counts a fetch of a follower whose log differs as progress, and commits on top of it',
    file: 'bug-24-divergent-progress',
  },
  25: { title: 'A leader believes what a follower told it when it led before', file: 'bug-25-old-progress' },
  26: {
    title: 'Leadership goes away and back: the leader lacks an epoch of its follower, which keeps too much',
    file: 'bug-26-fast-ping-pong',
  },
  27: {
    title: 'A follower that missed an epoch goes on where it was, because its leader is the same broker',
    file: 'bug-27-missed-epoch',
  },
  32: { title: 'The end of a partition goes backwards right after a failover', file: 'bug-32-end-falls' },
  34: {
    title: 'A follower that lags answers that there is no such offset, and the reader begins anew',
    file: 'bug-34-lagging-follower',
  },
  74: {
    title: 'The high watermark waits for a broker that has left the ISR, because it was caught up a moment ago',
    file: 'bug-74-waits-for-the-dead',
  },
  76: {
    title: 'The epoch of a leader that wrote nothing stays in its log, which differs from all others for ever',
    test: 'test/node/safeguards.test.ts',
    why: 'the follower asks again as fast as it can, and a run that waits for it takes seconds to simulate',
  },
  77: {
    title: 'Retention deletes what is not replicated yet, and all that waited for it is acknowledged',
    file: 'bug-77-deleted-uncommitted',
  },
  78: {
    title: 'An answer to a fetch that a follower is no longer doing is applied to its log of today',
    file: 'bug-78-late-answer',
  },
  80: {
    title: 'A committed offset is cut off, and whoever begins there begins at the very start',
    file: 'bug-80-committed-and-cut',
  },
  84: {
    title: 'The bound of a read is computed twice, around an append or a new high watermark',
    test: 'test/node/safeguards.test.ts',
    why: 'a broker reads in one step that nothing can come between: no schedule reaches inside it',
  },
  87: {
    title: 'A reassignment counts as done with one of its replicas in sync, and the old ones delete their logs',
    file: 'bug-87-early-reassignment',
  },
  88: { title: 'A broker that is shutting down joins the ISR, and leaves with it', file: 'bug-88-leaving-member' },
  90: {
    title: 'An acknowledgement names an offset that is not that of the record',
    test: 'test/checker/answers.test.ts',
    why: 'a broker here answers what it appended, in one step; the wrong answer is planted for the checker',
  },
};
