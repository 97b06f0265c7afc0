// Where clients outside find the nodes, for an agent that is told only after its container has started: what was published on
// which port is not known before. Kept in the volume, so that a container that comes back needs nobody to tell it again.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { ContainerPlace } from './container-layout.ts';
import { OUTSIDE_ADDRESS, type ClusterState, type NodeState } from './home.ts';

const FILE = z.array(z.object({ id: z.number().int(), outside: OUTSIDE_ADDRESS }));

export class OutsideAddresses {
  readonly #place: ContainerPlace;
  readonly #file: string;
  /** Resolves once there is nothing more to wait for. */
  readonly known: Promise<void>;
  #announce: () => void = () => undefined;

  constructor(place: ContainerPlace) {
    this.#place = place;
    this.#file = join(place.state.dir, 'outside.json');
    this.known = new Promise((resolve) => (this.#announce = resolve));
    if (!place.waits) this.#announce();
  }

  /** The cluster with the addresses that were told before, if any were. */
  remembered(): ClusterState {
    const { state, waits } = this.#place;
    const before = waits ? this.#read() : undefined;
    if (before === undefined) return state;
    this.#announce();
    return { ...state, nodes: state.nodes.map((node) => ({ ...node, ...before.find(({ id }) => id === node.id) })) };
  }

  /** Keeps the addresses and ends the wait. */
  told(nodes: readonly NodeState[]): void {
    const fresh = `${this.#file}.tmp`;
    writeFileSync(fresh, JSON.stringify(nodes.map(({ id, outside }) => ({ id, outside }))) + '\n', { mode: 0o600 });
    renameSync(fresh, this.#file);
    this.#announce();
  }

  /** None, or a damaged one: it is told again. */
  #read(): z.infer<typeof FILE> | undefined {
    try {
      return FILE.parse(JSON.parse(readFileSync(this.#file, 'utf8')));
    } catch {
      return undefined;
    }
  }
}
