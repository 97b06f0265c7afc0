// Feature levels: with which a cluster begins, and what becomes of them when the controller starts with other settings
// (txn T-190, repl ). A level is a setting like others here; Kafka changes it by a request of its own.
import { ELR_VERSION } from '../metadata/image.ts';
import { clearElrRecord, configRecord, featureLevelRecord, removeConfigRecord } from '../metadata/records.ts';
import type { Draft } from './draft.ts';
import { forgetEligible } from './forget-eligible.ts';
import { MIN_ISR } from './min-isr.ts';

const TRANSACTION_VERSION = 'transaction.version';

/** The levels of a new cluster. */
export function foundFeatures(draft: Draft): void {
  const { config } = draft;
  draft.add(featureLevelRecord(ELR_VERSION, config[ELR_VERSION]));
  draft.add(featureLevelRecord(TRANSACTION_VERSION, config[TRANSACTION_VERSION]));
  if (draft.image.hasElr) draft.add(configRecord('', MIN_ISR, String(config[MIN_ISR])));
}

/**
 * Changes what the settings of this start change.
 *
 * @param minIsrBefore `min.insync.replicas` of the last start: who changes the setting means the cluster's value.
 * @returns A sentence about what was asked for and cannot be.
 */
export function settleFeatures(draft: Draft, minIsrBefore: number | undefined): string | undefined {
  const { config, image } = draft;
  const level = config[TRANSACTION_VERSION];
  if (image.features.get(TRANSACTION_VERSION) !== level) draft.add(featureLevelRecord(TRANSACTION_VERSION, level));
  const isMeant = minIsrBefore !== undefined && minIsrBefore !== config[MIN_ISR];
  const hadElr = image.hasElr;
  if (hadElr && config[ELR_VERSION] === 0) return lower(draft);
  if (!hadElr && config[ELR_VERSION] > 0) draft.add(featureLevelRecord(ELR_VERSION, config[ELR_VERSION]));
  if (!image.hasElr || (hadElr && !isMeant)) return undefined;
  draft.add(configRecord('', MIN_ISR, String(config[MIN_ISR])));
  if (hadElr) forgetEligible(draft, '');
  return undefined;
}

/** Without eligible replicas nobody could lead a partition whose ISR is empty. */
function lower(draft: Draft): string | undefined {
  const [empty] = [...draft.image.partitions()].filter(({ isr }) => isr.length === 0);
  if (empty !== undefined) {
    return (
      `${ELR_VERSION} stays 1: the ISR of ${empty.topic}-${empty.partition} is empty, and without eligible leader replicas ` +
      'nobody could ever lead it. Start its brokers, then the controller once more'
    );
  }
  draft.add(clearElrRecord(''));
  draft.add(removeConfigRecord('', MIN_ISR));
  draft.add(featureLevelRecord(ELR_VERSION, 0));
  return undefined;
}
