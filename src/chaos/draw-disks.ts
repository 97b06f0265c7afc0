// What befalls disks in random runs. In one of six the disk of one node is slow, or full, or broken, or gives back a flipped bit
// while the node serves; a node that it ends starts again a while later. Nothing that was acknowledged may be gone for it.
import type { Prng } from '../base/prng.ts';
import { CONTROLLER_ID, type NodeId } from '../base/units.ts';
import { equals } from '../fault/spec.ts';
import type { FaultFilter } from '../protocol/generated/index.ts';
import { moment, nodes, one, timed, type DrawnAt } from './draw-parts.ts';
import type { FaultPlan, OwnAction, Trigger } from './plan.ts';

const ID = 'disk-0';

/** The faults of disks of a run, from a stream of their own. */
export function drawDisks(random: Prng, at: DrawnAt): FaultPlan[] {
  if (random.below(6) > 0) return [];
  const brokers = Array.from({ length: at.brokers }, (_, each) => each + 1);
  const node = one(random, [...brokers, ...brokers, ...brokers, CONTROLLER_ID]);
  switch (one(random, ['slow', 'write', 'read'])) {
    case 'slow':
      return [slow(random, at, node)];
    case 'write': {
      const kind = one(random, ['disk:full', 'disk:write-error'] as const);
      const nth = 1 + random.below(one(random, [10, 100]));
      return [strikesAt('disk.write', { node, own: { kind }, nth }), startsAgain(random)];
    }
    default:
      return reads(random, at, one(random, brokers));
  }
}

function slow(random: Prng, { activeMs }: DrawnAt, node: NodeId): FaultPlan {
  const own: OwnAction = { kind: 'disk:slow', span: { min: 1, max: one(random, [5, 50, 500]) } };
  return { ...strikesAt('disk.write', { node, own, nth: 0 }), times: 0, until: moment(1 + random.below(activeMs)) };
}

/** What a broker serves is in its memory unless it has started since: so it dies first. */
function reads(random: Prng, at: DrawnAt, node: NodeId): FaultPlan[] {
  const dies = timed(random, `${ID}-dies`, at, { kind: 'kill', target: nodes(String(node)) }, 1 + random.below(1000));
  const flips = random.chance(0.5);
  const own: OwnAction = { kind: flips ? 'disk:flip-bit' : 'disk:read-error' };
  // A bit that is flipped as it starts is taken for a torn write, and what it had counted for lost.
  const where = flips ? [equals('how', 'get'), equals('what', 'batch')] : [];
  const nth = flips ? 1 : 1 + random.below(30);
  return [dies, strikesAt('disk.read', { node, own, nth, where }), startsAgain(random)];
}

interface Strike {
  readonly node: NodeId;
  readonly own: OwnAction;
  readonly nth: number;
  readonly where?: readonly FaultFilter[];
}

function strikesAt(point: 'disk.write' | 'disk.read', { node, own, nth, where = [] }: Strike): FaultPlan {
  const trigger: Trigger = { kind: 'at', point, where: [equals('node', node), ...where], nth, probability: 1 };
  return { id: ID, trigger, action: { own }, times: 1, optional: true };
}

function startsAgain(random: Prng): FaultPlan {
  const parts = [{ kind: 'fault' as const, fault: ID }, ...moment(200 + random.below(2000)).parts];
  return {
    ...{ id: `${ID}-start`, times: 1, optional: true },
    trigger: { kind: 'after', moment: { text: `${ID} + a while`, parts } },
    action: { elsewhere: { kind: 'start', target: { kind: 'struck-by', fault: ID }, wipe: false, truncateTail: 0 } },
  };
}
