// What moves of a partition, in words, for all commands that tell of it.

/** "adding 4, removing 3"; empty if nothing moves. */
export function movesOf(moves: {
  readonly addingReplicas: readonly number[];
  readonly removingReplicas: readonly number[];
}): string {
  const { addingReplicas, removingReplicas } = moves;
  return [
    ...(addingReplicas.length > 0 ? [`adding ${addingReplicas.join(', ')}`] : []),
    ...(removingReplicas.length > 0 ? [`removing ${removingReplicas.join(', ')}`] : []),
  ].join(', ');
}
