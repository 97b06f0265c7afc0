// Starts a workload client on any Runtime: the simulator's or a process's.
import type { Runtime } from '../runtime/ports.ts';
import { ConsumerWorkload } from './consumer.ts';
import { ProducerWorkload } from './producer.ts';
import { TransactionalWorkload } from './transactional.ts';
import type { ClientSpec, ClientSurroundings, Report, WorkloadClient } from './spec.ts';

/** Starts a client. It begins in an event of its own and reports from then on. */
export function startClient(
  spec: ClientSpec,
  surroundings: ClientSurroundings,
  runtime: Runtime,
  report: Report,
): WorkloadClient {
  switch (spec.kind) {
    case 'produce':
      return new ProducerWorkload(spec, surroundings, runtime, report);
    case 'consume':
      return new ConsumerWorkload(spec, surroundings, runtime, report);
    case 'transactional':
      return new TransactionalWorkload(spec, surroundings, runtime, report);
    default:
      throw new Error(`client ${spec.id}: there is no workload "${spec.kind}" yet`);
  }
}
