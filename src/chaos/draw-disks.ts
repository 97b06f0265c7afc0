// What befalls disks in random runs. In one of six the disk of one node is slow, or full, or broken, or gives back a flipped bit
// while the node serves; a node that it ends starts again a while later. Nothing that was acknowledged may be gone for it.
import type { Prng } from '../base/prng.ts';
import { CONTROLLER_ID } from '../base/units.ts';
import { equals } from '../fault/spec.ts';
import { moment, one } from './draw-parts.ts';
import type { FaultPlan, OwnAction } from './plan.ts';

const ENDS = ['disk:full', 'disk:write-error', 'disk:read-error', 'disk:flip-bit'] as const;

/** The faults of disks of a run, from a stream of their own. */
export function drawDisks(random: Prng, { activeMs, brokers }: { activeMs: number; brokers: number }): FaultPlan[] {
  if (random.below(6) > 0) return [];
  const node = one(random, [CONTROLLER_ID, ...Array.from({ length: 3 * brokers }, (_, at) => 1 + (at % brokers))]);
  if (random.below(3) === 0) {
    const own: OwnAction = { kind: 'disk:slow', span: { min: 1, max: one(random, [5, 50, 500]) } };
    const fault = strikesAt('disk.write', { node, own, nth: 0 });
    return [{ ...fault, times: 0, until: moment(1 + random.below(activeMs)) }];
  }
  const kind = one(random, ENDS);
  const reads = kind === 'disk:read-error' || kind === 'disk:flip-bit';
  // What is in memory is not read: few reads go to the disk.
  const nth = 1 + random.below(reads ? 3 : one(random, [20, 200]));
  const fault = strikesAt(reads ? 'disk.read' : 'disk.write', { node, own: { kind }, nth });
  const parts = [{ kind: 'fault' as const, fault: fault.id }, ...moment(200 + random.below(2000)).parts];
  const start = { kind: 'start' as const, target: { kind: 'struck-by' as const, fault: fault.id } };
  return [
    fault,
    {
      ...{ id: `${fault.id}-start`, times: 1, optional: true },
      trigger: { kind: 'after', moment: { text: `${fault.id} + a while`, parts } },
      action: { elsewhere: { ...start, wipe: false, truncateTail: 0 } },
    },
  ];
}

function strikesAt(
  point: 'disk.write' | 'disk.read',
  { node, own, nth }: { readonly node: number; readonly own: OwnAction; readonly nth: number },
): FaultPlan {
  const served = point === 'disk.read' ? [equals('how', 'get'), equals('what', 'batch')] : [];
  const trigger = { kind: 'at' as const, point, where: [equals('node', node), ...served], nth, probability: 1 };
  return { id: 'disk-0', trigger, action: { own }, times: 1, optional: true };
}
