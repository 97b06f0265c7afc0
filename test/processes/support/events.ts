// The events of a cluster's nodes, read from their event files as a report would.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterState } from '../../../src/agent/home.ts';
import { parseEventLine } from '../../../src/runtime/real/event-file.ts';
import type { Stamped, TraceEvent } from '../../../src/trace/events.ts';

/** An event of one type, as its node stamped it. */
export type StampedAs<Type extends TraceEvent['type']> = Stamped & { readonly event: { readonly type: Type } };

/** Events of one node so far, in its order. */
export function eventsOf(state: ClusterState, node: number): Stamped[] {
  const file = join(state.nodes.find(({ id }) => id === node)!.dataDir, 'events.ndjson');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => parseEventLine(line) ?? []);
}

/** Events of all nodes so far, by Lamport time: a cause stands before its effect. */
export function allEvents(state: ClusterState): Stamped[] {
  return state.nodes
    .flatMap(({ id }) => eventsOf(state, id))
    .sort((a, b) => a.lamport - b.lamport || a.node - b.node || a.seq - b.seq);
}
