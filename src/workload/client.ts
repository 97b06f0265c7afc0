// Starts a workload client on any Runtime: the simulator's or a process's.
import type { Runtime } from '../runtime/ports.ts';
import { ConsumerWorkload } from './consumer.ts';
import { CopyWorkload } from './copy.ts';
import { GroupWorkload } from './group.ts';
import { ProducerWorkload } from './producer.ts';
import { TransactionalWorkload } from './transactional.ts';
import type { ClientSurroundings, OwnSpec, Report, WorkloadClient } from './spec.ts';

/** Starts a client. It begins in an event of its own and reports from then on. */
export function startClient(
  spec: OwnSpec,
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
    case 'group':
      return new GroupWorkload(spec, surroundings, runtime, report);
    case 'copy':
      return new CopyWorkload(spec, surroundings, runtime, report);
  }
}
