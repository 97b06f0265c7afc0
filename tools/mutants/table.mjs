// The table of mutants: one-line changes of the cores, each breaking a rule of docs/spec, each with what kills it. The data is
// in data/, one file a part of the protocol; this file reads it and says what a row must be.
import { z } from 'zod';
import { clientMutants } from './data/client.mjs';
import { controllerMutants } from './data/controller.mjs';
import { coordinatorMutants } from './data/coordinator.mjs';
import { electionMutants } from './data/elections.mjs';
import { followerMutants } from './data/follower.mjs';
import { groupMutants } from './data/groups.mjs';
import { invariantMutants } from './data/invariants.mjs';
import { leaderMutants } from './data/leader.mjs';
import { logMutants } from './data/log.mjs';
import { lifecycleMutants } from './data/lifecycle.mjs';
import { producerStateMutants } from './data/producer-state.mjs';
import { readingMutants } from './data/reading.mjs';
import { transactionMutants } from './data/transactions.mjs';

/** Seeds of random chaos that a mutant may take until it is caught. */
export const SEEDS_MAX = 200;

const row = z
  .strictObject({
    /** Words and hyphens; unique. */
    id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)+$/),
    /** Rules as code cites them, and entries of the corpus: "BUG-24; repl R-45, T-1". */
    breaks: z.string().regex(/\b(?:(?:repl|txn|wire) [A-Z]+-\d|BUG-\d)/, 'names a rule, BUG-24 or repl R-45'),
    /** What goes wrong with it, in one line. */
    what: z.string().min(8).max(110),
    file: z.string().regex(/^src\/.+\.ts$/),
    /** Part of one line; occurs once in the file. */
    find: z.string().min(3).regex(/^.*$/, 'is part of one line'),
    replace: z.string().regex(/^.*$/, 'is part of one line'),
    /** File and title, or a part of it, or of what is around it: the test that fails with it. */
    test: z.tuple([z.string().regex(/^test\/.+\.test\.ts$/), z.string().min(8)]).optional(),
    /** Workload, and the seed that is tried first: random chaos in the simulator finds it, whatever the test does. */
    sim: z.tuple([z.enum(['replication', 'txn']), z.number().int().min(1).max(SEEDS_MAX)]).optional(),
  })
  .refine(({ find, replace }) => find !== replace, 'find and replace are the same')
  .refine(({ test, sim }) => test !== undefined || sim !== undefined, 'is killed by a test, by sim, or by both');

const PARTS = {
  leader: leaderMutants,
  follower: followerMutants,
  reading: readingMutants,
  lifecycle: lifecycleMutants,
  controller: controllerMutants,
  elections: electionMutants,
  log: logMutants,
  client: clientMutants,
  'producer-state': producerStateMutants,
  transactions: transactionMutants,
  coordinator: coordinatorMutants,
  groups: groupMutants,
  invariants: invariantMutants,
};

/** Parts that are replication; the rest is exactly-once, groups, and those who watch. */
export const REPLICATION = new Set([
  'leader',
  'follower',
  'reading',
  'lifecycle',
  'controller',
  'elections',
  'log',
  'client',
]);

/** All rows with their part. Throws if one is not as it must be. */
export function mutants() {
  const seen = new Set();
  return Object.entries(PARTS).flatMap(([part, rows]) =>
    rows.map((each, at) => {
      const { success, data, error } = row.safeParse(each);
      const where = `tools/mutants/data/${part}.mjs, row ${at + 1} (${each.id})`;
      if (!success) throw new Error(`${where}: ${z.prettifyError(error)}`);
      if (seen.has(data.id)) throw new Error(`${where}: the id is taken`);
      seen.add(data.id);
      return { ...data, part };
    }),
  );
}
