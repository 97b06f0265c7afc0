// Binary search in what is sorted anyway.

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
