// The protections of the protocol that a run can switch off, to see the failure each prevents. Names as in the
// corpus of failures; all are on unless a scenario or a person switches one off. One file a room in safeguards/.
import { CLIENTS_SAFEGUARDS } from './safeguards/clients.ts';
import { CONTROL_SAFEGUARDS } from './safeguards/control.ts';
import { GROUPS_SAFEGUARDS } from './safeguards/groups.ts';
import { IDEMPOTENCE_SAFEGUARDS } from './safeguards/idempotence.ts';
import { REPLICATION_SAFEGUARDS } from './safeguards/replication.ts';
import { TRANSACTIONS_SAFEGUARDS } from './safeguards/transactions.ts';

/** What each safeguard protects against, for people. */
export const SAFEGUARDS = {
  ...REPLICATION_SAFEGUARDS,
  ...CONTROL_SAFEGUARDS,
  ...IDEMPOTENCE_SAFEGUARDS,
  ...TRANSACTIONS_SAFEGUARDS,
  ...GROUPS_SAFEGUARDS,
  ...CLIENTS_SAFEGUARDS,
} as const;

export type Safeguard = keyof typeof SAFEGUARDS;

export function isSafeguard(name: string): name is Safeguard {
  return Object.hasOwn(SAFEGUARDS, name);
}
