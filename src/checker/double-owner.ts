// Double owners: one partition belongs to two members of a group in one generation, or two coordinators answer for one
// shard at one epoch (txn INV-14). A zombie of an older generation still believes: that is why it is fenced.
import type { AssignmentOp } from '../history/operations.ts';
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import { entryOf } from './keep.ts';
import { recordedGroups } from './recorded-groups.ts';
import type { HistoryView } from './view.ts';

/**
 * Within a generation a partition may change hands only if the one gave it up before the other was given it: also if the one
 * had it from an older generation, and is in this one. A static
 * member that comes back has a new member id and the same place (group.instance.id): that is one owner.
 */
export const doubleOwners: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const holders = new Map<string, Holders>();
  for (const entry of view.assignments) {
    for (const partition of entry.partitions) {
      const of = entryOf(holders, `${entry.group} ${partition}`, () => new Holders());
      const held = of.release(entry);
      // What it gives up it had all along: nobody else may have been given it in this generation before.
      if (entry.f !== 'assigned' && (entry.f !== 'revoked' || held === undefined)) continue;
      const rival = of.first(entry.generation);
      if (rival !== undefined) report(partition, rival, entry, findings);
      if (entry.f === 'assigned') of.hold(entry);
    }
  }
  twoCoordinators(view, findings);
  for (const group of recordedGroups(view, ({ txnOps, offsetsOps }) => [...txnOps, ...offsetsOps])) {
    const what = 'its members were seen on the wire alone, which does not tell who was given which partition';
    findings.inconclusive.push(`double-owner: ${group}: ${what}`);
  }
  return findings;
};

/** Who holds one partition of one group: those of older generations too, until they give it up. */
class Holders {
  readonly #byGeneration = new Map<number, Set<AssignmentOp>>();
  readonly #byMember = new Map<string, AssignmentOp>();
  readonly #byInstance = new Map<string, AssignmentOp>();

  /** Who was given it first in a generation and has not given it up. */
  first(generation: number): AssignmentOp | undefined {
    return this.#byGeneration.get(generation)?.values().next().value;
  }

  hold(entry: AssignmentOp): void {
    entryOf(this.#byGeneration, entry.generation, () => new Set()).add(entry);
    this.#byMember.set(entry.member, entry);
    if (entry.instance !== undefined) this.#byInstance.set(entry.instance, entry);
  }

  /** What the same member, or the same instance under another member id, held before. Answers the member's own. */
  release({ member, instance }: AssignmentOp): AssignmentOp | undefined {
    const own = this.#byMember.get(member);
    for (const entry of [own, instance === undefined ? undefined : this.#byInstance.get(instance)]) {
      if (entry === undefined) continue;
      this.#byGeneration.get(entry.generation)?.delete(entry);
      this.#byMember.delete(entry.member);
      if (entry.instance !== undefined) this.#byInstance.delete(entry.instance);
    }
    return own;
  }
}

function report(partition: string, owner: AssignmentOp, entry: AssignmentOp, findings: FindingsBuilder): void {
  const { group, generation, member } = entry;
  const details = { group, generation, members: [owner.member, member] };
  const says = `${partition} belongs to ${owner.member} and to ${member} in generation ${generation} of ${group}`;
  findings.add({ anomaly: 'double-owner', partition, details, ops: [owner.index, entry.index], says });
}

function twoCoordinators({ described }: HistoryView, findings: FindingsBuilder): void {
  const first = new Map<string, HistoryView['described'][number]>();
  const reported = new Set<string>();
  for (const entry of described) {
    const { statePartition, coordinatorEpoch, node, index } = entry;
    const shard = `${statePartition} ${coordinatorEpoch}`;
    const other = first.get(shard);
    if (other === undefined) first.set(shard, entry);
    else if (other.node !== node && !reported.has(shard)) {
      reported.add(shard);
      const partition = `__transaction_state-${statePartition}`;
      const details = { nodes: [other.node, node], coordinatorEpoch };
      const says = `brokers ${other.node} and ${node} both answer for ${partition} at epoch ${coordinatorEpoch}`;
      findings.add({ anomaly: 'double-owner', partition, details, ops: [other.index, index], says });
    }
  }
}
