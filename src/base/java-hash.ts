// Java's String.hashCode and Kafka's abs: who coordinates a group or a transactional id (wire G-1, txn T-1).

/** Java's `String.hashCode`: over UTF-16 code units, 32-bit wraparound. */
export function javaHashCode(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(31, hash) + text.charCodeAt(i)) | 0;
  return hash;
}

/** Kafka's `Utils.abs`: the absolute value, and 0 for the one number that has none. */
export function kafkaAbs(value: number): number {
  return value === -2147483648 ? 0 : Math.abs(value);
}

/** The partition of an internal topic that owns `id`: abs(hash(id)) % partitionCount. */
export function coordinatorPartition(id: string, partitionCount: number): number {
  return kafkaAbs(javaHashCode(id)) % partitionCount;
}
