// Which variant of the protocol applies: chosen by the request, for internal aborts by the cluster (txn T-190).
import type { ErrorName } from '../../protocol/errors.ts';
import type { Circumstances } from './decision.ts';

/** 2: every transaction has an epoch of its own (txn T-75). 0: one epoch a session. */
export type Variant = 0 | 2;

/** The variant of a version of transaction.version: a request's, or the cluster's level. */
export function variantOf(version: number, circumstances: Pick<Circumstances, 'safeguard'>): Variant {
  return version >= 2 && circumstances.safeguard('epoch.perTxn') ? 2 : 0;
}

/**
 * UNSUPPORTED_VERSION for a request of version 2 below level 2, where it is not advertised (txn T-190 [D]). 'NONE':
 * go on.
 */
export function refuseVersion(version: number, level: number): ErrorName {
  return version >= 2 && level < 2 ? 'UNSUPPORTED_VERSION' : 'NONE';
}
