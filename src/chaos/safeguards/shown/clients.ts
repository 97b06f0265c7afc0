// Where each is shown: protections that are a client's own work: a broker cannot do it for them.
import type { CLIENTS_SAFEGUARDS } from '../../../fault/safeguards/clients.ts';
import { inCorpus, inSafeguard, inStory, inWeakness, type ShownAs } from './shown-as.ts';

/** In the order of their table. */
export const SHOWN_CLIENTS: ShownAs<keyof typeof CLIENTS_SAFEGUARDS> = {
  'consumer.truncationDetect': {
    ...{ file: inStory('ghost-read'), off: 'no-hw', on: 'no-hw-kip320', finds: 'poll-skip' },
  },
  'seq.unresolved': { file: inCorpus('bug-60-reused-sequence'), off: 'reused', on: 'kafka', finds: 'lost-write' },
  'txn.register': {
    file: inWeakness('w03-unregistered-write'),
    off: 'unverified',
    on: 'no-bug-unverified',
    finds: 'hanging-txn',
  },
  'txn.filter': { file: inSafeguard('aborted-delivered'), off: 'no-filter', on: 'kafka', finds: 'aborted-read' },
  'epoch.bumpOnRecovery': {
    ...{ file: inStory('hanging-transaction'), off: 'version-1-same-epoch', on: 'version-1' },
    ...{ cell: { next: 'orders/0' }, finds: 'aborted-read' },
  },
  'ctp.rewind': { file: inSafeguard('unrewound-copy'), off: 'no-rewind', on: 'kafka', finds: 'eos-violation' },
};
