// Double owners: one partition belongs to two members of a group in one generation, or two coordinators answer for one
// shard at one epoch (txn INV-14). A zombie of an older generation still believes: that is why it is fenced.
import type { AssignmentOp } from '../history/operations.ts';
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import type { HistoryView } from './view.ts';

/**
 * Within a generation a partition may change hands only if the one gave it up before the other was given it. A static
 * member that comes back has a new member id and the same place (group.instance.id): that is one owner.
 */
export const doubleOwners: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const holders = new Map<string, AssignmentOp[]>();
  for (const entry of view.assignments) {
    for (const partition of entry.partitions) {
      const key = `${entry.group} ${partition}`;
      const others = (holders.get(key) ?? []).filter((holder) => !isSame(holder, entry));
      const rival = others.find(({ generation }) => generation === entry.generation);
      if (entry.f === 'assigned' && rival !== undefined) report(partition, rival, entry, findings);
      holders.set(key, entry.f === 'assigned' ? [...others, entry] : others);
    }
  }
  twoCoordinators(view, findings);
  return findings;
};

function isSame(one: AssignmentOp, other: AssignmentOp): boolean {
  return one.member === other.member || (one.instance !== undefined && one.instance === other.instance);
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
