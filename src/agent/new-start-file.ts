// What an agent writes into the start files of its nodes: where they are, what they are, and the faults they carry.
import type { FaultSpec } from '../protocol/generated/index.ts';
import { hostOf, type ClusterState, type NodeState } from './home.ts';
import type { StartFile } from './start-file.ts';

/** The start file of a node of a cluster, without faults. */
export function startFileFor(state: ClusterState, node: NodeState, safeguardsOff: readonly string[]): StartFile {
  const { name, secret, host, timers, config, nodes } = state;
  const controller = nodes.find((other) => other.role === 'controller');
  return {
    ...{ version: 1, cluster: name, secret, role: node.role, id: node.id },
    ...{ host, advertisedHost: hostOf(state, node), timers },
    config: node.rack === undefined ? config : { ...config, 'broker.rack': node.rack },
    ...{ grpcPort: node.grpcPort, kafkaPort: node.kafkaPort, seed: 0 },
    ...outsideOf(node),
    ...(node.kafkaAdvertised && { kafkaAdvertised: node.kafkaAdvertised }),
    ...(node.kafkaOutside && { kafkaOutside: node.kafkaOutside }),
    controller: {
      id: controller?.id ?? 0,
      host: controller === undefined ? host : hostOf(state, controller),
      port: controller?.grpcPort ?? 0,
    },
    safeguardsOff: [...safeguardsOff],
    ...{ faults: [], cutTo: [], truncateTail: 0, wiped: false },
  };
}

/** Where clients outside its network find a node, as its start file says it. */
export function outsideOf({ outside, outsideListens: listens }: NodeState): Pick<StartFile, 'outside'> {
  if (outside === undefined) return {};
  const { host, grpcPort, kafkaPort } = outside;
  return { outside: { host, grpcPort, kafkaPort, ...(listens === undefined ? {} : { listens }) } };
}

/** A fault as its start file holds it. */
export function storedFault(fault: FaultSpec): StartFile['faults'][number] {
  const action = fault.action ?? { kind: '', target: '', durationMs: 0, error: 'NONE', laterMs: 0 };
  const where = fault.where.map(({ field, op, values }) => ({ field, op, values: [...values] }));
  const { id, point, nth, times, probability, ttlMs, owner } = fault;
  const { kind, target, durationMs, error, laterMs } = action;
  return {
    id,
    point,
    where,
    nth,
    times,
    probability,
    action: { kind, target, durationMs, error, laterMs },
    ttlMs,
    owner,
  };
}
