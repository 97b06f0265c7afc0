// What nodes are armed with for a fault that strikes at a point. An action on the flow or the node there is carried out by
// the node. For an action on something else the flow is held, the engine acts, and lets it go (design section 6); where
// nothing can be held, or `later` asks not to, the node only tells.
import type { FaultDraft } from '../fault/spec.ts';
import { POINTS } from '../fault/points.ts';
import { drawMs } from './durations.ts';
import type { FaultPlan } from './plan.ts';

/** Whether the flow waits for the engine to act and to release it. */
export function holdsForEngine(plan: FaultPlan): boolean {
  if (plan.trigger.kind !== 'at' || !('elsewhere' in plan.action)) return false;
  return plan.later === undefined && POINTS[plan.trigger.point]?.kind !== 'observation';
}

/** The fault that nodes take; undefined if it does not strike at a point. `next` is in [0, 1). */
export function specOf(plan: FaultPlan, next: () => number): FaultDraft | undefined {
  const { id, trigger, action, times } = plan;
  if (trigger.kind !== 'at') return undefined;
  const common = {
    id,
    point: trigger.point,
    where: trigger.where,
    nth: trigger.nth,
    times,
    probability: trigger.probability,
  };
  if ('elsewhere' in action) return { ...common, action: holdsForEngine(plan) ? 'hold' : 'notify' };
  const laterMs = plan.later === undefined ? 0 : drawMs(plan.later, next);
  const { own } = action;
  switch (own.kind) {
    case 'delay':
    case 'disk:slow':
      return { ...common, action: { kind: own.kind, durationMs: drawMs(own.span, next), laterMs } };
    case 'error':
      return { ...common, action: { kind: 'error', error: own.error, laterMs } };
    case 'pause':
      return {
        ...common,
        action: { kind: 'pause', durationMs: plan.for === undefined ? 0 : drawMs(plan.for, next), laterMs },
      };
    default:
      return { ...common, action: { kind: own.kind, laterMs } };
  }
}
