// Transactional ids and groups as their coordinators' events tell them: the last state in force of each, whoever served it.
import type { LeaderEpoch } from '../base/units.ts';
import type { TraceEvent } from '../trace/events.ts';

interface Known<T> {
  readonly coordinatorEpoch: LeaderEpoch;
  readonly is: T;
}

export interface GroupIs {
  readonly state: string;
  readonly members: number;
}

export class CoordinatorState {
  readonly #transactions = new Map<string, Known<string>>();
  readonly #groups = new Map<string, Known<GroupIs>>();

  apply(event: TraceEvent): void {
    switch (event.type) {
      case 'txn.loaded':
        for (const { transactionalId, state } of event.transactions) {
          note(this.#transactions, transactionalId, { coordinatorEpoch: event.coordinatorEpoch, is: state });
        }
        return;
      case 'txn.record': {
        if (event.phase !== 'applied') return;
        const { coordinatorEpoch, transactionalId, record } = event;
        note(this.#transactions, transactionalId, { coordinatorEpoch, is: record?.state ?? 'Dead' });
        return;
      }
      case 'group.state': {
        const { coordinatorEpoch, group, state, members } = event;
        note(this.#groups, group, { coordinatorEpoch, is: { state, members: members.length } });
        return;
      }
      default:
    }
  }

  /** Kafka's name of the state; undefined before the first. */
  transaction(transactionalId: string): string | undefined {
    return this.#transactions.get(transactionalId)?.is;
  }

  /** Whether a decision is not carried out everywhere. */
  get isCompleting(): boolean {
    return [...this.#transactions.values()].some(({ is }) => is === 'PrepareCommit' || is === 'PrepareAbort');
  }

  group(group: string): GroupIs | undefined {
    return this.#groups.get(group)?.is;
  }
}

/** Events of several nodes come in any order: what an older coordinator did is told no more once a newer one was heard. */
function note<T>(into: Map<string, Known<T>>, id: string, what: Known<T>): void {
  const known = into.get(id);
  if (known === undefined || known.coordinatorEpoch <= what.coordinatorEpoch) into.set(id, what);
}
