// Where each is shown: protections of who leads and who is in sync: elections, ISR, registration, reassignment.
import type { CONTROL_SAFEGUARDS } from '../../../fault/safeguards/control.ts';
import type { ShownAs } from './shown-as.ts';

/** In the order of their table. */
export const SHOWN_CONTROL: ShownAs<keyof typeof CONTROL_SAFEGUARDS> = {};
