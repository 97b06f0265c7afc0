// Reads that the final logs do not confirm: what a reader was given does not stand there in the end. Nearly all reads of a
// sound run are confirmed, and two confirmed reads of one offset agree: what is wrong with reads is looked for among the
// others. Judges nothing: a reader may have read what was legally taken back, or what nobody observed.
import type { SeenRecord } from '../history/operations.ts';
import type { FinalLog } from './final-log.ts';
import type { Poll } from './readings.ts';
import { placeOf } from './search.ts';

export interface OddRead {
  readonly poll: Poll;
  readonly record: SeenRecord;
}

/** In the order of the polls. The first replica of each partition is asked, and no other. */
export function oddReads(polls: readonly Poll[], finalLog: (partition: string) => FinalLog): OddRead[] {
  const odd: OddRead[] = [];
  for (const poll of polls) {
    const [first] = poll.records;
    if (first === undefined) continue;
    const held = finalLog(poll.partition).replicas[0]?.records ?? [];
    let at = placeOf(held, first.offset);
    for (const record of poll.records) {
      while (at < held.length && held[at]!.offset < record.offset) at += 1;
      const there = held[at];
      if (there?.offset !== record.offset || there.value !== record.value) odd.push({ poll, record });
    }
  }
  return odd;
}
