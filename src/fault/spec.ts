// Builds faults as data with every field set, so that callers name only what matters.
import type { FaultAction, FaultFilter, FaultSpec } from '../protocol/generated/index.ts';
import type { ActionKind } from './legality.ts';

/** A fault as people think of it: what is left out has no limit. */
export interface FaultDraft {
  readonly id: string;
  readonly point: string;
  readonly where?: readonly FaultFilter[];
  readonly nth?: number;
  readonly times?: number;
  readonly probability?: number;
  readonly action: ActionKind | (Partial<FaultAction> & { readonly kind: ActionKind });
  readonly ttlMs?: number;
  readonly owner?: string;
}

/** Fills in what a draft leaves out. */
export function faultSpec(draft: FaultDraft): FaultSpec {
  const action = typeof draft.action === 'string' ? { kind: draft.action } : draft.action;
  return {
    id: draft.id,
    point: draft.point,
    where: [...(draft.where ?? [])],
    nth: draft.nth ?? 0,
    times: draft.times ?? 0,
    probability: draft.probability ?? 1,
    action: { target: 'node', durationMs: 0, error: 'NONE', laterMs: 0, ...action },
    ttlMs: draft.ttlMs ?? 0,
    owner: draft.owner ?? '',
  };
}

/** `field = value`, for one value or any of several. */
export function equals(field: string, ...values: readonly (string | number)[]): FaultFilter {
  return { field, op: '=', values: values.map(String) };
}
