// The assignors that know nothing of the past: `range` gives each member a run of every topic, `roundrobin` deals out all
// partitions one by one. Members give up everything before they join.
import { emptyAssignments, inOrder, subscribers, type Assignor } from './assignor.ts';

/** Partitions of a topic in runs: the first members get one more if they do not share evenly. */
export const RANGE: Assignor = {
  name: 'range',
  protocol: 'eager',
  assign(partitionCounts, members) {
    const assignments = emptyAssignments(members);
    for (const [topic, readers] of subscribers(inOrder(members))) {
      const count = partitionCounts.get(topic) ?? 0;
      const each = Math.floor(count / readers.length);
      const more = count % readers.length;
      let partition = 0;
      readers.forEach(({ memberId }, place) => {
        const end = partition + each + (place < more ? 1 : 0);
        for (; partition < end; partition++) assignments.get(memberId)!.push({ topic, partition });
      });
    }
    return assignments;
  },
};

/** All partitions of all topics, one to each member in turn; who does not subscribe to the topic is passed over. */
export const ROUND_ROBIN: Assignor = {
  name: 'roundrobin',
  protocol: 'eager',
  assign(partitionCounts, members) {
    const assignments = emptyAssignments(members);
    const ring = inOrder(members);
    let at = 0;
    for (const [topic, readers] of subscribers(ring)) {
      for (let partition = 0; partition < (partitionCounts.get(topic) ?? 0); partition++) {
        while (!readers.includes(ring[at % ring.length]!)) at += 1;
        assignments.get(ring[at % ring.length]!.memberId)!.push({ topic, partition });
        at += 1;
      }
    }
    return assignments;
  },
};
