// The hash that places a keyed record, bit for bit that of Kafka's clients, so that all clients agree on the partition of a key.

const SEED = 0x9747b28c | 0;
const MULTIPLIER = 0x5bd1e995;

function mix(word: number): number {
  const spread = Math.imul(word, MULTIPLIER);
  return Math.imul(spread ^ (spread >>> 24), MULTIPLIER);
}

/** Murmur2, 32 bits, as a signed number. */
export function murmur2(data: Uint8Array): number {
  let hash = SEED ^ data.length;
  const whole = data.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    const word = data[at]! | (data[at + 1]! << 8) | (data[at + 2]! << 16) | (data[at + 3]! << 24);
    hash = Math.imul(hash, MULTIPLIER) ^ mix(word);
  }
  const rest = data.length - whole;
  if (rest > 0) {
    if (rest > 2) hash ^= data[whole + 2]! << 16;
    if (rest > 1) hash ^= data[whole + 1]! << 8;
    hash = Math.imul(hash ^ data[whole]!, MULTIPLIER);
  }
  hash = Math.imul(hash ^ (hash >>> 13), MULTIPLIER);
  return hash ^ (hash >>> 15);
}

/** The partition of a key: the hash without its sign bit (not its absolute value), modulo the number of partitions. */
export function partitionOfKey(key: Uint8Array, partitionCount: number): number {
  return (murmur2(key) & 0x7fffffff) % partitionCount;
}
