// Where each is shown: protections of the sequences of idempotent producers.
import type { IDEMPOTENCE_SAFEGUARDS } from '../../../fault/safeguards/idempotence.ts';
import { inCorpus, inSafeguard, inStory, type ShownAs } from './shown-as.ts';

/** In the order of their table. */
export const SHOWN_IDEMPOTENCE: ShownAs<keyof typeof IDEMPOTENCE_SAFEGUARDS> = {
  'seq.dedup': { file: inCorpus('bug-56-pipelined-retries'), off: 'no-dedup', on: 'kafka', finds: 'duplicate' },
  'seq.gapReject': { file: inStory('overtaken'), off: 'no-gap-reject', on: 'kafka', finds: 'reorder' },
  'seq.firstIsZero': { file: inCorpus('bug-08-first-batch-lost'), off: 'kafka', on: 'highwater', finds: 'repl I-26' },
  'seq.replicatedState': {
    ...{ file: inCorpus('bug-07-retry-after-failover'), off: 'no-replicated-state', on: 'kafka', finds: 'duplicate' },
  },
  'seq.wholeWindow': { file: inSafeguard('forgotten-window'), off: 'kafka', on: 'highwater', finds: 'duplicate' },
  'seq.trustLeader': { file: inCorpus('bug-62-distrustful-follower'), off: 'distrust', on: 'kafka', finds: 'stall' },
  'seq.retainState': {
    file: inCorpus('bug-30-forgotten-with-data'),
    off: 'forgetful',
    on: 'kafka',
    finds: 'duplicate',
  },
  'seq.wrap': {
    test: 'test/client/sequence-wrap.test.ts',
    why: 'it takes two thousand million records of one producer',
  },
  'seq.newEpochStartsAtZero': {
    ...{ file: inCorpus('bug-58-epoch-overtaken'), off: 'any-sequence', on: 'kafka', finds: 'duplicate' },
  },
};
