// Where each safeguard is shown: a scenario with a variant without it, and one that differs in nothing else; or, where
// none can be, a test of its core. The one table, one file a room in shown/; a safeguard that nothing shows is said to be
// open, and red wherever it is printed.
import type { Safeguard } from '../../fault/safeguards.ts';
import { SHOWN_CLIENTS } from './shown/clients.ts';
import { SHOWN_CONTROL } from './shown/control.ts';
import { SHOWN_GROUPS } from './shown/groups.ts';
import { SHOWN_IDEMPOTENCE } from './shown/idempotence.ts';
import { SHOWN_REPLICATION } from './shown/replication.ts';
import { SHOWN_TRANSACTIONS } from './shown/transactions.ts';
import type { ShownAs } from './shown/shown-as.ts';

/** By safeguard, in the order of their table. */
export const SHOWN_IN: ShownAs<Safeguard> = {
  ...SHOWN_REPLICATION,
  ...SHOWN_CONTROL,
  ...SHOWN_IDEMPOTENCE,
  ...SHOWN_TRANSACTIONS,
  ...SHOWN_GROUPS,
  ...SHOWN_CLIENTS,
};
