// Furnishes a bare runtime with faults and safeguards: what turns a clock, a network and a store into a node that can be
// broken on purpose. Used alike by the simulator and by every main. Knows nothing of brokers or controllers.
import type { FaultEffects } from '../fault/effects.ts';
import { FaultEngine } from '../fault/engine.ts';
import { FaultyNetwork } from '../fault/faulty-network.ts';
import { FaultyStore } from '../fault/faulty-store.ts';
import type { TopicNames } from '../fault/message-fields.ts';
import { isSafeguard, SAFEGUARDS, type Safeguard } from '../fault/safeguards.ts';
import type { FaultSpec } from '../protocol/generated/index.ts';
import type { NodeId } from '../base/units.ts';
import { batchContents } from '../log/batch-contents.ts';
import { isBatchKey } from '../log/keys.ts';
import type { Runtime } from '../runtime/ports.ts';

/** A runtime before anything can strike it. */
export type BareRuntime = Omit<Runtime, 'faults' | 'safeguard'>;

/** What holds from a node's first instant: it stands in its start file, so that it survives restarts. */
export interface FaultSettings {
  readonly faults: readonly FaultSpec[];
  /** Nodes to which this one does not send. */
  readonly cutTo: readonly NodeId[];
  readonly safeguardsOff: readonly string[];
  /** Hears of every safeguard that the node asks whether it is on: a run that never asks one is the same without it. */
  readonly onSafeguard?: (name: Safeguard) => void;
}

export const NO_FAULT_SETTINGS: FaultSettings = { faults: [], cutTo: [], safeguardsOff: [] };

/** The safeguards of one node. All are on unless switched off. */
export class Safeguards {
  readonly #off = new Set<Safeguard>();

  constructor(off: readonly string[]) {
    for (const name of off) if (isSafeguard(name)) this.#off.add(name);
  }

  isOn(name: Safeguard): boolean {
    return !this.#off.has(name);
  }

  /** Names of those that are off. */
  get off(): readonly string[] {
    return [...this.#off];
  }

  /** Answers why not, or "". */
  set(name: string, on: boolean): string {
    if (!isSafeguard(name)) return `no safeguard "${name}". Safeguards: ${Object.keys(SAFEGUARDS).join(', ')}`;
    if (on) this.#off.delete(name);
    else this.#off.add(name);
    return '';
  }
}

/** The controls of a furnished node, for its fault service and for the simulator. */
export interface FaultControls {
  readonly engine: FaultEngine;
  readonly safeguards: Safeguards;
}

export interface Furnished extends FaultControls {
  readonly runtime: Runtime;
}

/**
 * Wraps `bare`. A fault that cannot be armed (a start file of another version) is traced and skipped: the node serves.
 * @param topicNames Names topics that a message gives by id, for filters.
 */
export function furnish(
  bare: BareRuntime,
  effects: FaultEffects,
  settings: FaultSettings,
  topicNames: TopicNames,
): Furnished {
  const trace = bare.trace.bind(bare);
  const { node, clock } = bare;
  const engine = new FaultEngine({ node, clock, effects, trace, random: bare.random.fork('faults') });
  const safeguards = new Safeguards(settings.safeguardsOff);
  const network = new FaultyNetwork({ node, inner: bare.network, engine, clock, topicNames, contents: batchContents });
  const store = new FaultyStore({
    ...{ inner: bare.store, engine, random: bare.random.fork('disk'), isBatch: isBatchKey },
  });
  for (const fault of settings.faults) {
    const refused = engine.arm(fault);
    if (refused !== '')
      trace({ type: 'log.line', level: 'warn', message: `fault ${fault.id} was not armed: ${refused}` });
  }
  for (const to of settings.cutTo) engine.setLink(to, true);
  const runtime: Runtime = {
    ...{ node, clock, network, trace, faults: engine, random: bare.random, store },
    safeguard: asking(safeguards, settings.onSafeguard),
    halt: (reason) => bare.halt(reason),
  };
  return { runtime, engine, safeguards };
}

function asking(safeguards: Safeguards, hear: FaultSettings['onSafeguard']): Runtime['safeguard'] {
  if (hear === undefined) return (name) => safeguards.isOn(name);
  return (name) => {
    hear(name);
    return safeguards.isOn(name);
  };
}
