// The shape of a scenario file (ux.md 3.1): which keys exist and what each takes. Unknown keys are refused. What texts mean
// (moments, selectors, durations) is read by resolve.ts.
import * as z from 'zod';

export const SCALAR = z.union([z.string(), z.number(), z.boolean()], { error: 'takes a text, number or truth value' });
const NAME = z
  .string({ error: 'takes a name' })
  .regex(/^[a-zA-Z][\w-]{0,62}$/, { error: 'is no name: write letters, digits, - and _, beginning with a letter' });
const TEXT = z.string({ error: 'takes a text' });
/** A text, or a number that stands for itself: `until: 3s`, `after: f`. */
const MOMENT = TEXT;
const DURATION = TEXT;
const COUNT = z.number({ error: 'takes a number' }).int({ error: 'takes a whole number' });
const SETTINGS = z.record(z.string(), SCALAR, { error: 'takes settings: a map of name to value' });
const SWITCHES = z.record(z.string(), z.enum(['on', 'off'], { error: 'takes on or off' }), {
  error: 'takes safeguards: a map of name to on or off',
});

const ONE_OR_MORE = z.union([SCALAR, z.array(SCALAR)], { error: 'takes a value or a list of values' });

const cluster = z.strictObject({
  brokers: COUNT.min(1, { error: 'takes 1 to 9' }).max(9, { error: 'takes 1 to 9' }).optional(),
  timers: z.enum(['kafka', 'fast'], { error: 'takes kafka or fast' }).optional(),
  config: SETTINGS.optional(),
  racks: z.array(NAME, { error: 'takes a list of racks' }).min(1, { error: 'names at least one rack' }).optional(),
});

const topic = z.strictObject({
  name: TEXT.regex(/^[a-zA-Z0-9._-]{1,249}$/, { error: 'is no topic name: write letters, digits, ., _ and -' }),
  partitions: COUNT.min(1, { error: 'takes at least 1' }).optional(),
  replicas: z
    .array(COUNT, { error: 'takes a list of broker ids' })
    .min(1, { error: 'names at least one broker' })
    .optional(),
  rf: COUNT.min(1, { error: 'takes at least 1' }).optional(),
  config: SETTINGS.optional(),
});

const OFFSETS = z.record(z.string(), COUNT, {
  error: 'takes offsets: a map of partition to the next offset to be read',
});
const step = z.union(
  [
    TEXT,
    z.strictObject({ wait: MOMENT }),
    z.strictObject({ sleep: DURATION }),
    z.strictObject({ offsets: OFFSETS, group: z.string({ error: 'takes the group whose offsets these are' }) }),
  ],
  {
    error:
      'is no step. Write send 0..4, send orders/0 a b, begin, commit, abort, {offsets: {orders-0: 5}, group: g}, ' +
      '{wait: MOMENT} or {sleep: 300ms}',
  },
);

const FROM_TO = z.strictObject({ from: TEXT, to: TEXT }, { error: 'takes {from: TOPIC, to: TOPIC}' });

const client = z.strictObject({
  id: NAME,
  produce: TEXT.optional(),
  consume: z.union([TEXT, z.array(TEXT)], { error: 'takes a topic or a list of topics' }).optional(),
  transactional: TEXT.optional(),
  external: TEXT.optional(),
  forever: z.boolean({ error: 'takes true or false' }).optional(),
  copy: FROM_TO.optional(),
  copies: FROM_TO.optional(),
  group: TEXT.optional(),
  isolation: z
    .enum(['read_committed', 'read_uncommitted'], { error: 'takes read_committed or read_uncommitted' })
    .optional(),
  rack: NAME.optional(),
  timeout: DURATION.optional(),
  batch: COUNT.min(1, { error: 'takes at least 1' }).optional(),
  version: COUNT.min(0, { error: 'takes 0, 1 or 2' }).max(2, { error: 'takes 0, 1 or 2' }).optional(),
  acks: z
    .union([z.literal(0), z.literal(1), z.literal(-1), z.literal('all')], { error: 'takes 0, 1 or all' })
    .optional(),
  steps: z.array(step, { error: 'takes a list of steps' }).optional(),
  inFlight: COUNT.min(1, { error: 'takes at least 1' }).optional(),
  pace: DURATION.optional(),
  from: z.union([z.enum(['earliest', 'latest']), COUNT], { error: 'takes earliest, latest or an offset' }).optional(),
  ends: DURATION.optional(),
  pause: z.strictObject({ from: MOMENT, until: MOMENT }).optional(),
  start: z.strictObject({ after: MOMENT }).optional(),
  config: SETTINGS.optional(),
});

const fault = z.strictObject({
  id: NAME,
  at: TEXT.optional(),
  on: TEXT.optional(),
  after: MOMENT.optional(),
  every: DURATION.optional(),
  where: z.record(z.string(), ONE_OR_MORE, { error: 'takes a map of field to value' }).optional(),
  nth: COUNT.min(1, { error: 'counts from 1' }).optional(),
  times: COUNT.min(1, { error: 'counts from 1' }).optional(),
  probability: z
    .number({ error: 'takes a number' })
    .min(0, { error: 'lies between 0 and 1' })
    .max(1, { error: 'lies between 0 and 1' })
    .optional(),
  do: z.union([TEXT, z.record(z.string(), z.unknown())], {
    error: 'takes an action: hold, or {kill: leader(orders-0)}',
  }),
  until: MOMENT.optional(),
  for: DURATION.optional(),
  later: DURATION.optional(),
  optional: z.boolean({ error: 'takes true or false' }).optional(),
});

const expectation = z.strictObject({
  variant: z.union([TEXT, z.array(TEXT)], { error: 'takes a variant or a list of variants' }).optional(),
  when: z.record(z.string(), SCALAR, { error: 'takes a map of matrix name to value' }).optional(),
  never: z.union([TEXT, z.array(TEXT)], { error: 'takes an anomaly or a list of anomalies' }).optional(),
  always: TEXT.optional(),
  order: z
    .array(MOMENT, { error: 'takes a list of moments' })
    .min(2, { error: 'takes at least two moments' })
    .optional(),
  client: TEXT.optional(),
  op: TEXT.optional(),
  exits: COUNT.min(0, { error: 'takes an exit code' }).max(255, { error: 'takes an exit code' }).optional(),
  outcome: z.enum(['ok', 'error'], { error: 'takes ok or error' }).optional(),
  code: z.union([TEXT, z.array(TEXT)], { error: 'takes an error or a list of errors' }).optional(),
  epoch: TEXT.optional(),
  of: TEXT.optional(),
  above: TEXT.optional(),
  log: TEXT.optional(),
  marker: z.enum(['commit', 'abort'], { error: 'takes commit or abort' }).optional(),
  closes: z.union([TEXT, z.number()], { error: 'takes a value that was sent' }).optional(),
  finds: TEXT.optional(),
  with: z.record(z.string(), ONE_OR_MORE, { error: 'takes a map of field to value' }).optional(),
  allows: z.array(COUNT, { error: 'takes a list of offsets' }).optional(),
  eventually: TEXT.optional(),
  within: DURATION.optional(),
  because: TEXT.optional(),
});

const variant = z.strictObject({ safeguards: SWITCHES.optional(), config: SETTINGS.optional() }).nullable();

export const SCENARIO_SCHEMA = z.strictObject({
  highwater: z.literal(1, { error: 'takes 1, the version of this format' }),
  name: TEXT.regex(/^[a-z0-9-]{1,63}$/, { error: 'is no name: write a-z, 0-9 and -, at most 63' }),
  summary: TEXT.optional(),
  teaches: TEXT.optional(),
  cluster: cluster.optional(),
  topics: z.array(topic, { error: 'takes a list of topics' }).min(1, { error: 'needs at least one topic' }),
  safeguards: SWITCHES.optional(),
  workload: z.array(client, { error: 'takes a list of clients' }).min(1, { error: 'needs at least one client' }),
  faults: z.array(fault, { error: 'takes a list of faults' }).optional(),
  expect: z.array(expectation, { error: 'takes a list of expectations' }).optional(),
  variants: z.record(NAME, variant, { error: 'takes a map of name to what is switched' }).optional(),
  matrix: z.record(NAME, z.array(SCALAR).min(1), { error: 'takes a map of name to a list of values' }).optional(),
  seed: z.union([z.number(), z.string()], { error: 'takes a number or a text' }).optional(),
  timeout: DURATION.optional(),
});

export type RawScenario = z.infer<typeof SCENARIO_SCHEMA>;
export type RawClient = z.infer<typeof client>;
export type RawFault = z.infer<typeof fault>;
export type RawExpectation = z.infer<typeof expectation>;
export type RawTopic = z.infer<typeof topic>;

/** Keys that exist in each kind of map, for error messages. */
export const KNOWN_KEYS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(SCENARIO_SCHEMA.shape),
  cluster: Object.keys(cluster.shape),
  topics: Object.keys(topic.shape),
  workload: Object.keys(client.shape),
  faults: Object.keys(fault.shape),
  expect: Object.keys(expectation.shape),
  variants: ['safeguards', 'config'],
};
