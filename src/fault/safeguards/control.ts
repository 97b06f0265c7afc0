// Protections of who leads and who is in sync: elections, ISR, registration, reassignment.

/** What each protects against, for people. */
export const CONTROL_SAFEGUARDS = {
  'elect.clean':
    'Without leave nobody from outside the ISR is elected (KIP-106, repl R-95, R-97). Off: whoever lives is, and nothing says that ' +
    'records may be lost by it.',
  'elect.elr':
    'Who leaves an ISR below min.insync.replicas stays eligible, unless it restarts uncleanly (KIP-966, repl R-98). Off: the last ' +
    'member stays in the ISR for good, whatever becomes of its log.',
  'isr.partitionEpoch':
    'A leader changes the ISR that it knows, or none (KIP-497, repl R-61). Off: a proposal is taken whatever the ISR has become ' +
    'since it was made.',
  'isr.eligible':
    'Nobody who is fenced or shuts down joins an ISR (KIP-841, repl R-61). Off: whoever is registered may.',
  'isr.brokerEpoch':
    'Only the process that the leader has seen fetching joins an ISR, and not its successor (KIP-903, repl R-61). Off: whoever has ' +
    'its id, with whatever log.',
  'ctl.epochFence':
    'The controller takes requests of registered processes only (KIP-380, repl R-61, R-90). Off: those of their predecessors too, ' +
    'however late.',
  'ctl.durable':
    'The controller tells of what it has decided, and answers, once that is written (repl R-102). Off: while it is being written; ' +
    'it forgets by dying what others act on, and decides the same epoch anew.',
  'reassign.waitAll':
    'a reassignment ends when all replicas that it adds are in sync (KAFKA-15665, KAFKA-19975). Off: it ends with the first ' +
    'replica of the new list that is in sync, and the old ones delete their logs',
} as const;
