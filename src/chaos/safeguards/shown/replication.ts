// Where each is shown: protections of replicas: what consumers are served, how followers copy and truncate, what a log keeps.
import type { REPLICATION_SAFEGUARDS } from '../../../fault/safeguards/replication.ts';
import { inCorpus, type ShownAs } from './shown-as.ts';

/** In the order of their table. */
export const SHOWN_REPLICATION: ShownAs<keyof typeof REPLICATION_SAFEGUARDS> = {
  'hw.bound': { file: inCorpus('bug-16-read-too-far'), off: 'no-bound', on: 'kafka', finds: 'inconsistent-offsets' },
  'hw.allIsr': { file: inCorpus('bug-16-acked-by-one'), off: 'no-wait', on: 'kafka', finds: 'lost-write' },
  'hw.minIsrFreeze': {
    test: 'test/node/safeguards.test.ts',
    why: 'a clean election that forgets what was read needs eligible leader replicas',
  },
  'hw.knownForListOffsets': { file: inCorpus('bug-32-end-falls'), off: 'no-wait', on: 'kafka', finds: 'repl I-19' },
  'trunc.leaderEpoch': { file: inCorpus('bug-01-own-watermark'), off: 'no-epochs', on: 'kafka', finds: 'lost-write' },
  'produce.minIsr': {
    test: 'test/node/safeguards.test.ts',
    why: 'what it lets through is lost by an unclean election only, which a run declares (BUG-03)',
  },
  'follower.readBounds': {
    ...{ file: inCorpus('bug-34-lagging-follower'), off: 'no-bounds', on: 'kafka', finds: 'nonmonotonic-poll' },
  },
};
