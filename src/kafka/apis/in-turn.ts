// Pairs the partitions of a request with the broker's answers, which come in request order (src/node/api.ts).

/**
 * Gives the answers one by one. Throws if an answer is missing or is another partition's, which becomes
 * UNKNOWN_SERVER_ERROR in every slot (wire W-31) rather than a wrong offset in one.
 */
export function inTurn<T extends { readonly partition: number }>(answers: readonly T[]): (partition: number) => T {
  let at = 0;
  return (partition) => {
    const answer = answers[at++];
    if (answer === undefined) throw new Error(`${answers.length} partitions answered, more were asked for`);
    if (answer.partition !== partition) {
      throw new Error(`partition ${answer.partition} answered where ${partition} was asked for`);
    }
    return answer;
  };
}
