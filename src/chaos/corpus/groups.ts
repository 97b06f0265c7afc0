// Failures of the corpus: groups.
import type { CorpusRows } from './row.ts';

export const CORPUS_GROUPS: CorpusRows = {
  14: {
    title: 'A replaced member of a group commits the same input once more: no epoch fences it, as its id is its own',
    file: 'bug-14-zombie-member',
  },
  15: {
    title: 'A deposed group coordinator acknowledges a commit of offsets that does not exist any more',
    file: 'bug-15-deposed-coordinator',
  },
  23: {
    title: 'A member that was replaced wakes up and commits what it had read, behind what its successor has committed',
    file: 'bug-23-stale-commit',
  },
  37: {
    title: 'The offset before an undecided one is handed out, and its input is read twice',
    file: 'bug-37-unstable-offsets',
  },
  38: {
    title: 'A marker is answered before the offsets it decides count, and decides those of the next transaction',
    file: 'bug-38-late-offsets',
  },
  39: {
    title: 'An older commit of an offset is decided last and replaces a newer one',
    file: 'bug-39-late-decision',
  },
  40: {
    title: 'A coordinator drops what it had only after it has loaded again, and serves empty groups',
    file: 'bug-40-late-unload',
  },
  69: {
    title: 'Offsets expire while a transaction may still change them, or a member needs them',
    file: 'bug-69-expired-meanwhile',
  },
  70: {
    title: 'What was refused of a commit stays pending for ever',
    test: 'test/coordinator/group/offsets/transactions.test.ts',
    why: 'pending is what the log says and what was refused never reaches it; our clients send no metadata that could be refused',
  },
  71: {
    title: 'A partition is handed on before its owner has given it up, and two members have it',
    file: 'bug-71-handed-on-early',
  },
  72: {
    title: 'A static member takes its place over, and the next coordinator has never heard of it: the old one is back',
    file: 'bug-72-replaced-again',
  },
  86: {
    title: 'A member reads on while it commits what it is about to give up, and its successor reads the same again',
    test: 'test/client/group-offsets.test.ts',
    why: 'at least once is all that a group promises: what is read twice is reported by nobody and is a rule of the client alone',
  },
};
