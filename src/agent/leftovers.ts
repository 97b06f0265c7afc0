// Ends what a dead agent left behind. A node exits when its lifeline closes, but a frozen one cannot: it is found by the
// state file (pid, start time) and by its data directory on its command line, and ended.
import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterState, NodeState } from './home.ts';
import { commandLineOf, isSameProcess, signalProcess } from './process-identity.ts';

/** How long a process may take to disappear after SIGKILL. */
const GONE_WITHIN_MS = 10_000;

/** Nodes recorded in a state file that are alive although nobody supervises them. */
export function leftovers(state: ClusterState): NodeState[] {
  return state.nodes.filter((node) => isSameProcess(node) && commandLineOf(node.pid).includes(node.dataDir));
}

/** Ends all leftovers with SIGKILL and waits until they are gone. Returns those it ended. */
export async function endLeftovers(state: ClusterState): Promise<NodeState[]> {
  const found = leftovers(state);
  for (const node of found) signalProcess(node, 'SIGKILL');
  const end = performance.now() + GONE_WITHIN_MS;
  while (found.some((node) => isSameProcess(node))) {
    if (performance.now() > end) throw new Error(`nodes ${found.map((node) => node.id).join(', ')} survived SIGKILL`);
    await delay(10);
  }
  return found;
}
