// Protections of who leads and who is in sync: elections, ISR, registration, reassignment.

/** What each protects against, for people. */
export const CONTROL_SAFEGUARDS = {} as const;
