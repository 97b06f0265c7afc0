// What a node must know before it opens a port: written by the agent, read by the node's main. Armed faults, cut links,
// safeguards and clock offsets stand here, so that they survive the node's restart (design section 1).
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { KAFKA_ADVERTISED, KAFKA_OUTSIDE } from './home.ts';

const FILTER = z.object({ field: z.string(), op: z.string(), values: z.array(z.string()) });
const FAULT = z.object({
  id: z.string(),
  point: z.string(),
  where: z.array(FILTER),
  nth: z.number(),
  times: z.number(),
  probability: z.number(),
  action: z.object({
    kind: z.string(),
    target: z.string(),
    durationMs: z.number(),
    error: z.string(),
    laterMs: z.number(),
  }),
  ttlMs: z.number(),
  owner: z.string(),
});

const START = z.object({
  version: z.literal(1),
  cluster: z.string(),
  secret: z.string(),
  role: z.enum(['broker', 'controller']),
  id: z.number().int(),
  /** Address to bind; 127.0.0.1 unless told otherwise. */
  host: z.string(),
  /** Address to tell others. */
  advertisedHost: z.string(),
  grpcPort: z.number().int(),
  kafkaPort: z.number().int(),
  /** A second pair of ports, and where clients outside the network of the nodes find them. */
  outside: z
    .object({
      ...{ host: z.string(), grpcPort: z.number().int(), kafkaPort: z.number().int() },
      /** Ports of its own that are published as those two; absent: the same. */
      listens: z.object({ grpcPort: z.number().int(), kafkaPort: z.number().int() }).optional(),
    })
    .optional(),
  /** What Kafka clients are told of the first listener, if not where it listens (wire W-36). */
  kafkaAdvertised: KAFKA_ADVERTISED.optional(),
  /** A second listener for Kafka clients alone. */
  kafkaOutside: KAFKA_OUTSIDE.optional(),
  controller: z.object({ id: z.number().int(), host: z.string(), port: z.number().int() }),
  timers: z.enum(['kafka', 'fast']),
  config: z.record(z.string(), z.string()),
  /** Seed of the node's random stream; 0 draws one. */
  seed: z.number().int(),
  safeguardsOff: z.array(z.string()),
  faults: z.array(FAULT),
  cutTo: z.array(z.number().int()),
  /** Emulated power loss at this start: batches to drop from the unflushed end of each partition; -1 all, 0 none. */
  truncateTail: z.number().int(),
  /** The store was emptied on purpose before this start. */
  wiped: z.boolean().default(false),
});

/** A node's start file. */
export type StartFile = z.infer<typeof START>;

/** Reads and checks a start file; throws a sentence that names the file. */
export function readStartFile(path: string): StartFile {
  try {
    return START.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const detail =
      error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : String(error);
    throw new Error(`start file ${path} cannot be used: ${detail}`);
  }
}

/** Writes a start file atomically, readable by its owner only. */
export function writeStartFile(path: string, start: StartFile): void {
  const fresh = `${path}.tmp`;
  writeFileSync(fresh, JSON.stringify(start, null, 2) + '\n', { mode: 0o600 });
  renameSync(fresh, path);
}
