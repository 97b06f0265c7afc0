// The clock, the random numbers and LevelDB as a Store do what the ports promise.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import {
  CLOCK_SUITE,
  conformance,
  RANDOM_SUITE,
  STORE_SUITE,
  TRACE_SUITE,
  type ClockHarness,
  type RandomHarness,
  type StoreHarness,
  type TraceHarness,
} from '../../src/runtime/conformance/index.ts';
import { furnish, NO_FAULT_SETTINGS } from '../../src/host/furnish.ts';
import type { Runtime } from '../../src/runtime/ports.ts';
import { createRealClock } from '../../src/runtime/real/clock.ts';
import { EVENT_FILE, EventFile, parseEventLine } from '../../src/runtime/real/event-file.ts';
import { openLevelStore } from '../../src/runtime/real/leveldb-store.ts';
import { createRandom } from '../../src/runtime/real/random.ts';
import { createRealRuntime } from '../../src/runtime/real/runtime.ts';
import { Turns } from '../../src/runtime/real/turns.ts';
import { rpcNode, until } from '../rpc/harness.ts';

const newTurns = (): Turns =>
  new Turns((error) => {
    throw error;
  });
const nothing = (): Promise<void> => Promise.resolve();

function openClock(): Promise<ClockHarness> {
  return Promise.resolve({ clock: createRealClock(newTurns(), { holdsProcess: true }), until, close: nothing });
}

function openRandom(): Promise<RandomHarness> {
  return Promise.resolve({ random: createRandom, seeded: true, until, close: nothing });
}

/**
 * A kill cannot be had inside this process: `reopen` waits for the write under way and loses what had not begun, as a
 * kill may. What kill -9 really does is in test/processes.
 */
async function openStore(): Promise<StoreHarness> {
  const directory = mkdtempSync(join(tmpdir(), 'highwater-store-'));
  const open = () => openLevelStore({ directory: join(directory, 'store'), turns: newTurns() });
  let store = await open();
  return {
    get store() {
      return store;
    },
    reopen: async () => {
      await store.close();
      store = await open();
    },
    until,
    close: async () => {
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A furnished runtime. A kill cannot be had inside this process: it ends after a turn, with its files closed. */
async function openTrace(): Promise<TraceHarness> {
  const directory = mkdtempSync(join(tmpdir(), 'highwater-trace-'));
  const path = join(directory, EVENT_FILE);
  const stops: (() => Promise<void>)[] = [];
  const start = async (): Promise<Runtime> => {
    const { network, turns, lamport, server } = rpcNode(3);
    const store = await openLevelStore({ directory: join(directory, 'store'), turns });
    const eventFile = new EventFile({ path, node: 3, lamport });
    stops.push(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      turns.stop();
      eventFile.close();
      server.kill();
      await store.close();
    });
    const { runtime, effects } = createRealRuntime({
      ...{ node: 3, dataDir: directory, turns, network, store, eventFile, seed: 0 },
      elsewhere: (_action, done) => setImmediate(done),
      observe: () => undefined,
      onHalt: () => undefined,
    });
    return furnish(runtime, effects, NO_FAULT_SETTINGS, () => undefined).runtime;
  };
  const stop = async (): Promise<void> => stops.pop()?.();
  let runtime = await start();
  return {
    get runtime() {
      return runtime;
    },
    restart: async () => {
      await stop();
      runtime = await start();
    },
    events: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
      return lines.map((line) => parseEventLine(line)!);
    },
    until,
    close: async () => {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

describe('real clock', () => conformance(CLOCK_SUITE, openClock));
describe('real random', () => conformance(RANDOM_SUITE, openRandom));
describe('real runtime', () => conformance(TRACE_SUITE, openTrace));
describe('LevelDB store', () => conformance(STORE_SUITE, openStore));
