// The port conformance suites on the simulated implementations, on several seeds: the same suites run on the real ones.
import { describe } from 'vitest';
import { Prng } from '../../src/base/prng.ts';
import type { Network, Runtime } from '../../src/runtime/ports.ts';
import {
  CLOCK_SUITE,
  NETWORK_SUITE,
  RANDOM_SUITE,
  STORE_SUITE,
  TRACE_SUITE,
  conformance,
  type ClockHarness,
  type NetworkHarness,
  type RandomHarness,
  type StoreHarness,
  type TraceHarness,
} from '../../src/runtime/conformance/index.ts';
import type { Stamped } from '../../src/trace/events.ts';
import { World } from '../../src/sim/world.ts';

const SEEDS = [1, 2, 3];
const itself = (runtime: Runtime): Runtime => runtime;

function driving(world: World): Pick<StoreHarness, 'until' | 'close'> {
  return {
    until: async (condition, what) => {
      if (!world.run({ until: condition, maxMs: 60_000 }))
        throw new Error(`in a minute it did not come about: ${what}`);
    },
    close: async () => undefined,
  };
}

function aWorld(seed: number): World {
  return new World({ seed, network: { codecSample: 1, link: { slowChance: 0.3 } } });
}

async function openStore(seed: number): Promise<StoreHarness> {
  const world = aWorld(seed);
  let { store } = world.spawn(1, itself);
  const node = world.node(1);
  return {
    ...driving(world),
    get store() {
      return store;
    },
    reopen: async () => {
      node.kill();
      store = world.spawn(1, itself).store;
    },
    failNextWrite: () => node.disk.failNextWrite(),
    losePower: async () => {
      node.losePower();
      store = world.spawn(1, itself).store;
    },
  };
}

async function openClock(seed: number): Promise<ClockHarness> {
  const world = aWorld(seed);
  return { ...driving(world), clock: world.spawn(1, itself).clock };
}

async function openRandom(seed: number): Promise<RandomHarness> {
  const world = aWorld(seed);
  return { ...driving(world), seeded: true, random: (name) => new Prng(name) };
}

async function openNetwork(seed: number): Promise<NetworkHarness> {
  const world = aWorld(seed);
  const networks: Record<1 | 2, Network> = { 1: world.spawn(1, itself).network, 2: world.spawn(2, itself).network };
  return {
    ...driving(world),
    network: (node) => networks[node],
    ready: async () => undefined,
    kill: async () => world.node(2).kill(),
    lamport: (node) => world.node(node).lamport.time,
  };
}

async function openTrace(seed: number): Promise<TraceHarness> {
  const world = aWorld(seed);
  const events: Stamped[] = [];
  world.onEvent((stamped) => events.push(stamped));
  let runtime = world.spawn(1, itself);
  return {
    ...driving(world),
    get runtime() {
      return runtime;
    },
    events: async () => events,
    restart: async () => {
      world.node(1).kill();
      runtime = world.spawn(1, itself);
    },
  };
}

describe.each(SEEDS)('the simulator conforms, seed %i', (seed) => {
  conformance(STORE_SUITE, () => openStore(seed));
  conformance(CLOCK_SUITE, () => openClock(seed));
  conformance(RANDOM_SUITE, () => openRandom(seed));
  conformance(NETWORK_SUITE, () => openNetwork(seed));
  conformance(TRACE_SUITE, () => openTrace(seed));
});
