// The clock, the random numbers and LevelDB as a Store do what the ports promise.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import {
  CLOCK_SUITE,
  conformance,
  RANDOM_SUITE,
  STORE_SUITE,
  type ClockHarness,
  type RandomHarness,
  type StoreHarness,
} from '../../src/runtime/conformance/index.ts';
import { createRealClock } from '../../src/runtime/real/clock.ts';
import { openLevelStore } from '../../src/runtime/real/leveldb-store.ts';
import { createRandom } from '../../src/runtime/real/random.ts';
import { Turns } from '../../src/runtime/real/turns.ts';
import { until } from '../rpc/harness.ts';

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

describe('real clock', () => conformance(CLOCK_SUITE, openClock));
describe('real random', () => conformance(RANDOM_SUITE, openRandom));
describe('LevelDB store', () => conformance(STORE_SUITE, openStore));
