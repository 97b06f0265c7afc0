// Random transactional runs: what is drawn depends on the seed alone, can be carried out, and has everything in it.
import { describe, expect, test } from 'vitest';
import { planHash } from '../../src/chaos/draw-plan.ts';
import { drawTxnPlan } from '../../src/chaos/draw-txn-plan.ts';
import { specOf } from '../../src/chaos/node-fault.ts';
import type { RunPlan } from '../../src/chaos/plan.ts';
import { refuseFault } from '../../src/fault/legality.ts';
import { faultSpec } from '../../src/fault/spec.ts';
import type { TransactionalSpec } from '../../src/workload/spec.ts';

const SEEDS = Array.from({ length: 300 }, (_, at) => at + 1);
const PLANS = SEEDS.map((seed) => drawTxnPlan(seed));

function producers({ clients }: RunPlan): TransactionalSpec[] {
  return clients.flatMap(({ spec }) => (spec.kind === 'transactional' ? [spec] : []));
}

/** Settings of all who run transactions. */
function configs({ clients }: RunPlan): TransactionalSpec['config'][] {
  return clients.flatMap(({ spec }) => (spec.kind === 'transactional' || spec.kind === 'copy' ? [spec.config] : []));
}

/** Whether some plan has it, and some other does not. */
function varies(has: (plan: RunPlan) => boolean): void {
  expect(PLANS.some(has)).toBe(true);
  expect(PLANS.every(has)).toBe(false);
}

describe('a drawn transactional plan', () => {
  test('is the same for the same seed, and another for another', () => {
    expect(drawTxnPlan(7)).toEqual(drawTxnPlan('7'));
    expect(new Set(PLANS.map(planHash)).size).toBe(SEEDS.length);
  });

  test('a safeguard that is off is no part of it', () => {
    const off = drawTxnPlan(7, { safeguardsOff: ['txn.verify'] });
    expect(planHash(off)).toBe(planHash(drawTxnPlan(7)));
  });

  test('every fault that strikes at a point is legal there', () => {
    for (const fault of PLANS.flatMap(({ faults }) => faults)) {
      const spec = specOf(fault, () => 0);
      expect(spec === undefined ? undefined : refuseFault(faultSpec(spec))).toBeUndefined();
    }
  });

  test('names are unique, and no value is sent twice', () => {
    for (const plan of PLANS) {
      const ids = [...plan.faults.map(({ id }) => id), ...plan.clients.map(({ spec }) => spec.id)];
      expect(new Set(ids).size).toBe(ids.length);
      const steps = producers(plan).flatMap((spec) => spec.steps);
      const values = steps.flatMap((step) => (step.kind === 'send' ? step.values : []));
      expect(new Set(values).size).toBe(values.length);
    }
  });

  test('every kind of fault is drawn by some seed', () => {
    const kinds = PLANS.flatMap(({ faults }) => faults.map(({ id }) => id.replace(/-(\d+|sure)(-.*)?$/, '')));
    expect([...new Set(kinds)].sort()).toEqual([
      ...[
        'alone-at-step',
        'broker-messages',
        'client-messages',
        'cut-coordinator',
        'cut-link',
        'data-messages',
        'elect',
      ],
      ...['elect-coordinator', 'hold-at-step', 'kill-at-step', 'kill-client', 'kill-client-at-point'],
      ...[
        'kill-controller',
        'kill-coordinator',
        'kill-group-coordinator',
        'kill-node',
        'late-end',
        'late-marker',
        'late-produce',
        'late-write',
        'member-pauses',
        'pause-at-step',
      ],
      ...['pause-client', 'pause-client-at-point', 'pause-coordinator', 'pause-group-coordinator', 'pause-node'],
      ...['reassign', 'reassign-coordinator'],
      ...['stop-node', 'zombie-coordinator'],
    ]);
  });

  test('zombies, aborts, offsets, short timeouts, each version of the protocol, plain records, copies and late readers', () => {
    const shares = (spec: TransactionalSpec, of: RunPlan): boolean =>
      producers(of).some(({ id, transactionalId }) => id !== spec.id && transactionalId === spec.transactionalId);
    varies((plan) => producers(plan).some((spec) => shares(spec, plan)));
    const steps = (plan: RunPlan, kind: string): boolean =>
      producers(plan).some((spec) => spec.steps.some((step) => step.kind === kind));
    for (const kind of ['abort', 'send-offsets', 'confirm']) varies((plan) => steps(plan, kind));
    varies((plan) => producers(plan).some(({ config }) => Number(config['transaction.timeout.ms'] ?? 10_000) < 1000));
    for (const level of [0, 1, 2]) varies(({ cluster }) => cluster.config['transaction.version'] === level);
    varies((plan) => producers(plan).some(({ config }) => config['transaction.version'] === 1));
    for (const kind of ['produce', 'copy']) varies(({ clients }) => clients.some(({ spec }) => spec.kind === kind));
    varies(({ clients }) => clients.some(({ spec, start }) => spec.kind === 'consume' && start !== undefined));
  });

  test('groups that read without transactions, some of them with seats that two members claim; epochs that are used up', () => {
    const seats = ({ clients }: RunPlan): unknown[] =>
      clients.flatMap(({ spec }) => (spec.kind === 'group' ? [spec.config['group.instance.id']] : []));
    varies((plan) => seats(plan).length > 1);
    varies((plan) => seats(plan).some((seat, at, all) => seat !== undefined && all.indexOf(seat) !== at));
    varies(({ cluster }) => Number(cluster.config['transaction.first.epoch']) > 32_000);
    const paused = PLANS.filter(({ faults }) => faults.some(({ id }) => id.startsWith('member-pauses')));
    expect(paused.filter((plan) => seats(plan).length === 0)).toEqual([]);
  });

  test('txn W-17: a request for an identity is neither late nor doubled: that would be a second instance', () => {
    const own = PLANS.flatMap(({ faults }) =>
      faults.flatMap(({ trigger, action }) =>
        trigger.kind === 'at' && trigger.point === 'rpc.InitProducerId.request' && 'own' in action
          ? [action.own.kind]
          : [],
      ),
    );
    expect(own).toContain('drop');
    for (const kind of ['delay', 'duplicate', 'reorder']) expect(own).not.toContain(kind);
  });

  test('txn W-1, W-5: a request that means whatever is open is neither late nor doubled where anybody speaks version 1', () => {
    const ambiguous = /^(rpc\.(EndTxn|WriteTxnMarkers|TxnOffsetCommit)\.request|txn\.marker\.received)$/;
    const belated = PLANS.flatMap((plan) => {
      const old = plan.cluster.config['transaction.version'] !== 2;
      const has1 = old || configs(plan).some((config) => config['transaction.version'] === 1);
      return plan.faults.flatMap(({ trigger, action }) => {
        if (trigger.kind !== 'at' || !ambiguous.test(trigger.point) || !('own' in action)) return [];
        return ['delay', 'duplicate', 'reorder', 'hold'].includes(action.own.kind) ? [has1] : [];
      });
    });
    expect(belated).toContain(false);
    expect(belated).not.toContain(true);
  });
});
