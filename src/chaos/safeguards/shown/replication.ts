// Where each is shown: protections of replicas: what consumers are served, how followers copy and truncate, what a log keeps.
import type { REPLICATION_SAFEGUARDS } from '../../../fault/safeguards/replication.ts';
import { inStory, type ShownAs } from './shown-as.ts';

/** In the order of their table. */
export const SHOWN_REPLICATION: ShownAs<keyof typeof REPLICATION_SAFEGUARDS> = {
  'hw.bound': { file: inStory('ghost-read'), off: 'no-hw-kip320', on: 'kafka', finds: 'inconsistent-offsets' },
  'trunc.leaderEpoch': { file: inStory('kip-101-loss'), off: 'no-epochs', on: 'kafka', finds: 'lost-write' },
};
