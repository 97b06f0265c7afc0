// The Runtime of a client inside an application's process: real time and gRPC, no store, no faults, nothing served. What a
// workload's own client processes use has more: faults and an event file.
import type { NodeId } from '../base/units.ts';
import { NO_FAULTS } from '../fault/reach.ts';
import { RpcNetwork } from '../rpc/network.ts';
import { LamportClock } from '../runtime/lamport.ts';
import type { Runtime, Store } from '../runtime/ports.ts';
import { createRealClock } from '../runtime/real/clock.ts';
import { createRandom } from '../runtime/real/random.ts';
import { Turns } from '../runtime/real/turns.ts';

export interface ClientRuntime {
  readonly runtime: Runtime;
  /** Drops all connections; nothing is delivered after it. */
  close(): void;
}

/** Node ids of clients that no run has numbered. */
const FIRST_CLIENT: NodeId = 1001;
const CLIENT_IDS = 900_000;

/** A client keeps no state. */
const NO_STORE: Store = {
  get: () => undefined,
  write: (_ops, _options, done) => setImmediate(() => done({ reason: 'a client has no store' })),
  scan: (_range, done) => setImmediate(() => done([], { reason: 'a client has no store' })),
};

/** @param secret The cluster's, for calls to the controller; empty if there are none. */
export function createClientRuntime(secret: string): ClientRuntime {
  // A broken invariant of ours must not be swallowed: it ends the process like any uncaught error.
  const turns = new Turns((error) => {
    setImmediate(() => {
      throw error;
    });
  });
  const random = createRandom(0);
  const node = FIRST_CLIENT + random.below(CLIENT_IDS);
  const network = new RpcNetwork({ node, secret, turns, lamport: new LamportClock(), flush: () => undefined });
  const runtime: Runtime = {
    ...{ node, random, network, store: NO_STORE, faults: NO_FAULTS },
    clock: createRealClock(turns, { holdsProcess: true }),
    safeguard: () => true,
    trace: () => undefined,
    halt: (reason) => {
      throw new Error(`a client cannot halt: ${reason}`);
    },
  };
  return {
    runtime,
    close: () => {
      turns.stop();
      network.close();
    },
  };
}
