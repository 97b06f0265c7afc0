// The Runtime of a node process, put together from its parts, before a host furnishes it with faults. Halting is decided
// here and carried out by main.
import { join } from 'node:path';
import type { NodeId } from '../../base/units.ts';
import type { FaultEffects } from '../../fault/effects.ts';
import type { BareRuntime } from '../../host/furnish.ts';
import type { TraceEvent } from '../../trace/events.ts';
import type { Network, Store } from '../ports.ts';
import { createRealClock } from './clock.ts';
import { createProcessEffects, FIRING_FILE, OWN_SIGNALS, type ActElsewhere } from './effects.ts';
import type { EventFile } from './event-file.ts';
import { createRandom } from './random.ts';
import type { Turns } from './turns.ts';

/** A network that can tell when everything handed to it has left the process. */
export interface DrainableNetwork extends Network {
  drained(boundMs: number, done: () => void): void;
}

export interface RealRuntimeOptions {
  readonly node: NodeId;
  readonly dataDir: string;
  readonly turns: Turns;
  readonly network: DrainableNetwork;
  readonly store: Store;
  readonly eventFile: EventFile;
  readonly elsewhere: ActElsewhere;
  /** Seed of the random streams; 0 draws one. */
  readonly seed: number;
  /** Hears every event, e.g. to show people what a core has to say to them (`log.line`). */
  readonly observe: (event: TraceEvent) => void;
  /** Ends the process, with code 1. The reason stands in the event file already. */
  readonly onHalt: (reason: string) => void;
}

export interface RealRuntime {
  readonly runtime: BareRuntime;
  /** What faults do to this process. */
  readonly effects: FaultEffects;
}

/** Puts a node's Runtime together. */
export function createRealRuntime(options: RealRuntimeOptions): RealRuntime {
  const { node, turns, eventFile, store, network } = options;
  const runtime: BareRuntime = {
    ...{ node, network, store },
    clock: createRealClock(turns, { holdsProcess: false }),
    random: createRandom(options.seed),
    // After a kill at a point the rest of the turn says nothing any more.
    trace: (event) => {
      if (turns.stopped) return;
      eventFile.append(event);
      options.observe(event);
    },
    halt: (reason) => {
      if (turns.stopped) return;
      turns.stop();
      eventFile.append({ type: 'node.halted', reason });
      eventFile.flush();
      options.onHalt(reason);
    },
  };
  const effects = createProcessEffects({
    ...{ turns, elsewhere: options.elsewhere, signals: OWN_SIGNALS },
    firingFile: join(options.dataDir, FIRING_FILE),
    drained: (boundMs, done) => network.drained(boundMs, done),
    record: (event) => eventFile.append(event),
    flush: () => eventFile.flush(),
  });
  return { runtime, effects };
}
