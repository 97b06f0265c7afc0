// Writes numbered entries of many sizes to a store as fast as it can, several at once, and prints each number once the
// store has said that it is written. Is killed while it does so.
import type { Store } from '../../../src/runtime/ports.ts';
import { openLevelStore } from '../../../src/runtime/real/leveldb-store.ts';
import { Turns } from '../../../src/runtime/real/turns.ts';
import { entryOf } from './store-entries.ts';

const [directory = '', first = '0'] = process.argv.slice(2);
const UNDER_WAY = 8;

const turns = new Turns((error) => {
  throw error;
});

/** Writes one after another, for ever. */
function writeFrom(store: Store, first: number): void {
  let next = first;
  const writeNext = (): void => {
    const number = next++;
    store.write(entryOf(number).ops, { sync: false }, (failure) => {
      if (failure !== undefined) throw new Error(failure.reason);
      process.stdout.write(`${number}\n`);
      writeNext();
    });
  };
  for (let i = 0; i < UNDER_WAY; i++) writeNext();
}

// A small buffer: files are rolled and compacted while the kill comes.
void openLevelStore({ directory, turns, writeBufferSizeBytes: 128 * 1024 }).then((store) => {
  writeFrom(store, Number(first));
});
