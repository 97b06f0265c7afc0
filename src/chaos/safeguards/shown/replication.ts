// Where each is shown: protections of replicas: what consumers are served, how followers copy and truncate, what a log keeps.
import type { REPLICATION_SAFEGUARDS } from '../../../fault/safeguards/replication.ts';
import { inCorpus, type ShownAs } from './shown-as.ts';

/** In the order of their table. */
export const SHOWN_REPLICATION: ShownAs<keyof typeof REPLICATION_SAFEGUARDS> = {
  'hw.bound': { file: inCorpus('bug-16-read-too-far'), off: 'no-bound', on: 'kafka', finds: 'inconsistent-offsets' },
  'hw.allIsr': { file: inCorpus('bug-16-acked-by-one'), off: 'no-wait', on: 'kafka', finds: 'lost-write' },
  'hw.minIsrFreeze': {
    file: inCorpus('bug-03-lone-reader'),
    off: 'no-freeze',
    on: 'kafka',
    finds: 'inconsistent-offsets',
  },
  'hw.maximalIsr': { file: inCorpus('bug-17-unseen-member'), off: 'committed-only', on: 'kafka', finds: 'lost-write' },
  'hw.eligible': {
    test: 'test/node/safeguards.test.ts',
    why: 'what stands still in BUG-74 goes on once the broker is back, and every run brings it back',
  },
  'hw.knownForListOffsets': {
    file: inCorpus('bug-32-end-falls'),
    off: 'no-wait',
    on: 'kafka',
    finds: 'end-regression',
  },
  'trunc.leaderEpoch': { file: inCorpus('bug-01-own-watermark'), off: 'no-epochs', on: 'kafka', finds: 'lost-write' },
  'trunc.epochWalk': { file: inCorpus('bug-26-fast-ping-pong'), off: 'no-walk', on: 'kafka', finds: 'log-divergence' },
  'trunc.onEveryEpoch': {
    file: inCorpus('bug-27-missed-epoch'),
    off: 'goes-on',
    on: 'compared',
    finds: 'log-divergence',
  },
  'fetch.epochFence': {
    file: inCorpus('bug-18-zombie-follower'),
    off: 'unfenced',
    on: 'fenced',
    finds: 'log-divergence',
  },
  'fetch.divergence': { file: inCorpus('bug-24-divergent-progress'), off: 'counted', on: 'kafka', finds: 'lost-write' },
  'fetch.responseMatch': { file: inCorpus('bug-78-late-answer'), off: 'any-answer', on: 'kafka', finds: 'lost-write' },
  'epochCache.complete': {
    test: 'test/node/safeguards.test.ts',
    why: 'the follower asks again as fast as it can (BUG-76), and a run that waits for it takes seconds to simulate',
  },
  'isr.joinAtEpochStart': { file: inCorpus('bug-19-early-member'), off: 'early', on: 'kafka', finds: 'lost-write' },
  'isr.fetchInEpoch': { file: inCorpus('bug-25-old-progress'), off: 'remembers', on: 'kafka', finds: 'lost-write' },
  'produce.minIsr': {
    file: inCorpus('bug-03-lone-leader'),
    off: 'unguarded',
    on: 'no-clean-no-freeze',
    finds: 'lost-write',
  },
  'retention.hwBound': {
    file: inCorpus('bug-77-deleted-uncommitted'),
    off: 'no-bound',
    on: 'kafka',
    finds: 'repl I-2',
  },
  'follower.readBounds': {
    ...{ file: inCorpus('bug-34-lagging-follower'), off: 'no-bounds', on: 'kafka', finds: 'nonmonotonic-poll' },
  },
  'hw.truncateFirst': {
    ...{ file: inCorpus('bug-06-shown-before-cut'), off: 'raised-first', on: 'cut-first', finds: 'ghost-read' },
  },
};
