// Where each is shown: protections of consumer groups and their offsets.
import type { GROUPS_SAFEGUARDS } from '../../../fault/safeguards/groups.ts';
import { inCorpus, type ShownAs } from './shown-as.ts';

/** In the order of their table. */
export const SHOWN_GROUPS: ShownAs<keyof typeof GROUPS_SAFEGUARDS> = {
  'group.generationFence': {
    ...{ file: inCorpus('bug-23-stale-commit'), off: 'no-fence', on: 'kafka', finds: 'offset-regression' },
  },
  'group.txnCommitFence': {
    ...{ file: inCorpus('bug-14-zombie-member'), off: 'no-fence', on: 'kafka', finds: 'eos-violation' },
  },
  'group.stableOffsets': {
    ...{ file: inCorpus('bug-37-unstable-offsets'), off: 'unstable', on: 'kafka', finds: 'eos-violation' },
  },
  'group.ackAfterHwOwnEpoch': {
    ...{ file: inCorpus('bug-15-deposed-coordinator'), off: 'any-epoch', on: 'kafka', finds: 'lost-offset-commit' },
  },
  'group.loadOrder': {
    ...{ file: inCorpus('bug-40-late-unload'), off: 'no-order', on: 'kafka', finds: 'lost-offset-commit' },
  },
  'group.logOrderWins': {
    ...{ file: inCorpus('bug-39-late-decision'), off: 'decided-last', on: 'kafka', finds: 'lost-offset-commit' },
  },
  'group.expiryGuards': {
    ...{ file: inCorpus('bug-69-expired-meanwhile'), off: 'by-age-alone', on: 'kafka', finds: 'lost-offset-commit' },
  },
  'group.ownership': {
    ...{ file: inCorpus('bug-71-handed-on-early'), off: 'in-haste', on: 'kafka', finds: 'double-owner' },
  },
  'group.staticFence': {
    ...{ file: inCorpus('bug-72-replaced-again'), off: 'unwritten', on: 'kafka', finds: 'lost-offset-commit' },
  },
};
