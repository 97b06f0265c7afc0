// Who initialised which transactional id, for looking up: a history may hold a refusal for every transaction, and none of
// them may cost a walk over all operations.
import type { TxnOp } from '../history/operations.ts';
import type { Ended } from './arrange.ts';
import { entryOf } from './keep.ts';
import { firstFrom } from './search.ts';

/** What one process did with its transactional id, in order. */
interface Steps {
  readonly all: TxnOp[];
  readonly inits: Ended<TxnOp>[];
  /** Initialisations that may still happen after it gave up on them. */
  readonly doubtful: Ended<TxnOp>[];
}

export class Identities {
  readonly #processes = new Map<string, Steps>();
  /** The first initialisation of an id by any process, and the first by another one. */
  readonly #firsts = new Map<string, TxnOp[]>();

  constructor(ops: readonly Ended<TxnOp>[]) {
    for (const { invoke, end } of ops) {
      const steps = entryOf(this.#processes, invoke.process, () => ({ all: [], inits: [], doubtful: [] }));
      steps.all.push(invoke);
      if (invoke.f !== 'init') continue;
      steps.inits.push({ invoke, end });
      if (end === undefined || end.type === 'info') steps.doubtful.push({ invoke, end });
      const firsts = entryOf(this.#firsts, invoke.transactionalId, () => []);
      if (firsts.every(({ process }) => process !== invoke.process) && firsts.length < 2) firsts.push(invoke);
    }
  }

  /** The id that a process used last before an entry. */
  idOf(process: string, before: number): string | undefined {
    const all = this.#processes.get(process)?.all ?? [];
    return all[firstFrom(all, before, ({ index }) => index) - 1]?.transactionalId;
  }

  /** Whether another process began to initialise an id before an entry. */
  hasOther(id: string, process: string, before: number): boolean {
    return (this.#firsts.get(id) ?? []).some((init) => init.process !== process && init.index < before);
  }

  /** Whether a process gave up on an initialisation of its own before an entry that is not the end of it. */
  hasDoubtful(process: string, before: number): boolean {
    const earliest = this.#processes.get(process)?.doubtful.slice(0, 2) ?? [];
    return earliest.some(({ invoke, end }) => invoke.index < before && end?.index !== before);
  }

  /** The last initialisation of a process that was answered before an entry. */
  initBefore(process: string, before: number): TxnOp | undefined {
    const inits = this.#processes.get(process)?.inits ?? [];
    return inits.findLast(({ end }) => end?.type === 'ok' && end.index < before)?.end;
  }

  /** The timeout that a process asked for last, ms. */
  timeoutMs(process: string): number | undefined {
    return this.#processes.get(process)?.inits.at(-1)?.invoke.timeoutMs;
  }
}
