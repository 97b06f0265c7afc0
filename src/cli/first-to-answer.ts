// Which of many brokers a command connects to: all are asked at once, so one that is paused costs no time while another
// answers. How they are asked, and for how long, is the caller's.
import type { NodeId } from '../base/units.ts';
import { Problem } from './problem.ts';

/** The first that knows of live brokers. Undefined: none answers, or none knows of any. Rejects only with a bug of ours. */
export async function firstToAnswer(
  ids: readonly NodeId[],
  ask: (id: NodeId) => Promise<{ readonly brokers: readonly unknown[] }>,
): Promise<NodeId | undefined> {
  const answers = ids.map(async (id) => {
    const { brokers } = await ask(id);
    if (brokers.length === 0) throw new Problem('HW4001', `broker ${id} knows of no live broker`);
    return id;
  });
  try {
    return await Promise.any(answers);
  } catch (error) {
    const reasons = (error as AggregateError).errors as readonly unknown[];
    const bug = reasons.find((reason) => !(reason instanceof Problem));
    if (bug !== undefined) throw bug;
    return undefined;
  }
}
