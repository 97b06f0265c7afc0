// Answers that are made when they are first asked for, and kept.

/** Asked once. */
export function keep<Answer>(make: () => Answer): () => Answer {
  let answer: Answer | undefined;
  return () => (answer ??= make());
}

/** Asked once for each partition. */
export function keepEach<Answer>(make: (partition: string) => Answer): (partition: string) => Answer {
  const known = new Map<string, Answer>();
  // Asked for every record: without a function made for each question.
  return (partition) => {
    let answer = known.get(partition);
    if (answer === undefined) known.set(partition, (answer = make(partition)));
    return answer;
  };
}

/** What is kept in a map under a key, made if it is not there yet. */
export function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
