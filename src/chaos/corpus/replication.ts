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
    title: 'Deposed leader raises its HW before truncating and serves records that never existed',
    open: 'not built',
  },
  16: {
    title: 'A consumer reads what only the leader has, and the leader dies; and acks=all that waits for nobody',
    file: 'bug-16-read-too-far',
  },
  18: {
    title: 'Zombie follower keeps fetching across two elections it never saw and ends with a wrong middle',
    open: 'not built',
  },
  24: { title: 'Leader counts a DIVERGENT follower fetch as progress and commits on top of it', open: 'not built' },
  26: {
    title: 'Fast leader ping-pong: leader lacks the follower’s epoch, follower truncates too little',
    open: 'not built',
  },
  32: { title: 'The end of a partition goes backwards right after a failover', file: 'bug-32-end-falls' },
  34: {
    title: 'A follower that lags answers that there is no such offset, and the reader begins anew',
    file: 'bug-34-lagging-follower',
  },
  74: { title: 'HW frozen although everybody needed is caught up', open: 'not built' },
  76: { title: 'Leader-epoch cache gaps make a follower loop or truncate to nonsense', open: 'not built' },
  78: { title: 'A response for a fetch the follower is no longer doing is applied', open: 'not built' },
  80: { title: 'Committed offset without (or with too old) leader epoch → reset to earliest', open: 'not built' },
  84: { title: 'Read bound computed twice around an append or a segment roll', open: 'not built' },
  87: {
    title: 'A reassignment counts as done with one of its replicas in sync, and the old ones delete their logs',
    file: 'bug-87-early-reassignment',
  },
  88: { title: 'A broker that is shutting down joins the ISR, and leaves with it', file: 'bug-88-leaving-member' },
  90: {
    title: 'Offset commits lost because a produce/commit was acknowledged with a bogus base offset',
    open: 'not built',
  },
};
