// Kafka listeners of a cluster of processes beyond the first one's port: what clients are told of it, and a second one for
// clients outside (wire W-36). A recorded cluster keeps them until it is told otherwise. Opens nothing.
import type { ClusterState, NodeState } from './home.ts';

/** Of broker 1; the ports of the others follow. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Absent: as it was. `off`: none any more. */
export interface ListenerPlan {
  readonly advertise?: Address | 'off';
  readonly outside?: (Address & { readonly bind: Address }) | 'off';
}

/** The part of a node's state that says so. */
export type KafkaListeners = Pick<NodeState, 'kafkaAdvertised' | 'kafkaOutside'>;

/** For each broker in turn, what a plan makes of what is recorded. */
export function kafkaListeners(
  { advertise, outside }: ListenerPlan,
  recorded: Pick<ClusterState, 'nodes'> | undefined,
): (id: number) => KafkaListeners {
  const first = recorded?.nodes.find(({ id, role }) => id === 1 && role === 'broker');
  const told = advertise ?? first?.kafkaAdvertised;
  const second = outside ?? first?.kafkaOutside;
  return (id) => ({
    ...(told !== undefined && told !== 'off' && { kafkaAdvertised: nth(told, id) }),
    ...(second !== undefined &&
      second !== 'off' && { kafkaOutside: { ...nth(second, id), bind: nth(second.bind, id) } }),
  });
}

function nth({ host, port }: Address, id: number): { host: string; port: number } {
  return { host, port: port + id - 1 };
}
