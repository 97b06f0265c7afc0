// Binary search in what is sorted anyway.
import type { Offset } from '../base/units.ts';

/** Index of the first item that does not come before `bound`; `items` are in the order of `key`. */
export function firstFrom<Item>(items: readonly Item[], bound: number, key: (item: Item) => number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(items[middle]!) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the first record at or behind an offset, in a log. One without gaps has it where the offset itself says. */
export function placeOf(records: readonly { readonly offset: Offset }[], offset: Offset): number {
  const at = offset - (records[0]?.offset ?? 0);
  return records[at]?.offset === offset ? at : firstFrom(records, offset, (record) => record.offset);
}
