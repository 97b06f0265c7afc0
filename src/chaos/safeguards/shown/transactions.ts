// Where each is shown: protections of transactions: epochs, registration, markers, the last stable offset.
import type { TRANSACTIONS_SAFEGUARDS } from '../../../fault/safeguards/transactions.ts';
import { inCorpus, inSafeguard, inWeakness, type ShownAs } from './shown-as.ts';

/** In the order of their table. */
export const SHOWN_TRANSACTIONS: ShownAs<keyof typeof TRANSACTIONS_SAFEGUARDS> = {
  'txn.prepareDurable': {
    file: inCorpus('bug-21-decision-not-durable'),
    off: 'not-durable',
    on: 'kafka',
    finds: 'torn-txn',
  },
  'txn.verify': { file: inCorpus('bug-11-hanging-transaction'), off: 'unverified', on: 'kafka', finds: 'hanging-txn' },
  'txn.durableRegistration': {
    file: inCorpus('bug-13-forgotten-registration'),
    off: 'not-durable',
    on: 'kafka',
    finds: 'hanging-txn',
  },
  'txn.guard': { file: inWeakness('w04-stale-verification'), off: 'no-guard', on: 'kafka', finds: 'hanging-txn' },
  'txn.openEpoch': { file: inCorpus('bug-52-early-record'), off: 'no-open-epoch', on: 'kafka', finds: 'stall' },
  'txn.lsoBound': { file: inCorpus('bug-10-open-record-read'), off: 'no-lso', on: 'kafka', finds: 'aborted-read' },
  'txn.lsoFollowsHw': { file: inSafeguard('last-transaction'), off: 'one-behind', on: 'kafka', finds: 'unseen' },
  'txn.abortedIndex': { file: inCorpus('bug-36-late-answer'), off: 'no-index', on: 'kafka', finds: 'aborted-read' },
  'txn.coordEpochFence': {
    file: inCorpus('bug-22-zombie-coordinator'),
    off: 'no-fence',
    on: 'kafka',
    finds: 'aborted-read',
  },
  'txn.markerRetry': { file: inCorpus('bug-46-marker-lost'), off: 'no-retry', on: 'kafka', finds: 'hanging-txn' },
  'txn.markerEpoch': { file: inWeakness('w05-late-marker'), off: 'no-strict-epoch', on: 'kafka', finds: 'torn-txn' },
  'txn.markerIdempotent': { file: inCorpus('bug-42-repeated-marker'), off: 'no-repeat', on: 'kafka', finds: 'stall' },
  'txn.pendingCas': { file: inCorpus('bug-44-completed-twice'), off: 'no-cas', on: 'kafka', finds: 'hanging-txn' },
  'txn.timeout': { file: inCorpus('bug-67-dead-producer'), off: 'no-timeout', on: 'kafka', finds: 'hanging-txn' },
  'txn.ownership': {
    test: 'test/coordinator/txn/failover.test.ts',
    why: 'it takes a leader whose metadata stands still while its session goes on',
  },
  'epoch.rotatePid': { file: inCorpus('bug-48-last-epoch'), off: 'no-rotation', on: 'kafka', finds: 'self-fence' },
  'epoch.retryIdentity': {
    file: inCorpus('bug-49-lost-identity'),
    off: 'no-identity',
    on: 'kafka',
    finds: 'self-fence',
  },
  'epoch.produceFence': {
    file: inCorpus('bug-09-zombie-writes'),
    off: 'unfenced',
    on: 'unverified',
    finds: 'hanging-txn',
  },
  'epoch.bumpOnTimeout': { file: inCorpus('bug-28-unfenced-timeout'), off: 'no-bump', on: 'kafka', finds: 'torn-txn' },
  'epoch.strictEndTxn': { file: inCorpus('bug-54-newer-epoch'), off: 'lenient', on: 'kafka', finds: 'torn-txn' },
  'epoch.perTxn': { file: inCorpus('bug-12-delayed-commit'), off: 'one-epoch', on: 'kafka', finds: 'torn-txn' },
  'epoch.bumpOnInit': { file: inCorpus('bug-09-zombie-writes'), off: 'no-bump', on: 'kafka', finds: 'lost-write' },
  'txn.markersBeforeAck': { file: inCorpus('bug-38-late-offsets'), off: 'before', on: 'kafka', finds: 'torn-txn' },
  'compact.replicaAware': {
    file: inCorpus('bug-64-marker-cleaned-away'),
    off: 'kafka',
    on: 'replica-aware',
    finds: 'aborted-read',
  },
  'compact.keepMarkers': {
    file: inCorpus('bug-65-marker-of-what-stays'),
    off: 'no-markers',
    on: 'kafka',
    finds: 'hanging-txn',
  },
};
