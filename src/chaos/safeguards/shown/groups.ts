// Where each is shown: protections of consumer groups and their offsets.
import type { GROUPS_SAFEGUARDS } from '../../../fault/safeguards/groups.ts';
import { inSafeguard, inStory, type ShownAs } from './shown-as.ts';

/** In the order of their table. */
export const SHOWN_GROUPS: ShownAs<keyof typeof GROUPS_SAFEGUARDS> = {
  'group.txnCommitFence': {
    ...{ file: inStory('consume-transform-produce'), off: 'no-group-fence', on: 'kafka' },
    ...{ cell: { successor: 'copier-2' }, finds: 'eos-violation' },
  },
  'group.stableOffsets': {
    ...{ file: inSafeguard('unstable-offsets'), off: 'unstable', on: 'kafka', finds: 'eos-violation' },
  },
};
