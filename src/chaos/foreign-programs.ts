// Programs of the user's own in a run: what is known of them although they say nothing to it. What they did is what brokers
// recorded of the wire; whether they have all there is, nobody can ask them.
import type { NewEntry } from '../history/operations.ts';
import type { ClientPlan } from './plan.ts';
import { Copies } from './recorded/copies.ts';

/** One that moves nothing for so long has all there is: beyond a fetch and a rebalance. */
const QUIET_MS = 2500;

export class ForeignPrograms {
  /** Their ids. */
  readonly #ids = new Set<string>();
  /** What they make their outputs from, where the plan says it. */
  readonly #copies = new Map<string, Copies>();
  readonly #groups = new Set<string>();
  readonly #exits = new Map<string, number>();
  /** When each sent or was given something last, on the driver's clock. */
  readonly #movedAt = new Map<string, number>();
  readonly #now: () => number;

  constructor(plans: readonly ClientPlan[], now: () => number) {
    this.#now = now;
    for (const { spec } of plans) {
      if (spec.kind !== 'external') continue;
      this.#ids.add(spec.id);
      if (spec.copies !== undefined) this.#copies.set(spec.id, new Copies(spec.copies));
    }
  }

  /** Whether any takes part. */
  get any(): boolean {
    return this.#ids.size > 0;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Groups for which clients of any kind were seen to commit or ask for offsets. */
  get groups(): ReadonlySet<string> {
    return this.#groups;
  }

  /** With which codes they have ended. */
  get exits(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#exits);
  }

  exited(id: string, code: number): void {
    this.#exits.set(id, code);
  }

  /** Takes what the wire tells of a client, and answers with what the history is to hold. */
  recorded(id: string, seen: NewEntry): NewEntry {
    if ('group' in seen && seen.group !== undefined) this.#groups.add(seen.group);
    if (seen.f === 'poll' || seen.f === 'send') this.#movedAt.set(id, this.#now());
    return this.#copies.get(id)?.take(seen) ?? seen;
  }

  /** From here on it may move again. */
  freed(id: string): void {
    this.#movedAt.set(id, this.#now());
  }

  /** Whether one has sent and been given nothing for so long that it has all there is. */
  isQuiet(id: string): boolean {
    return this.#ids.has(id) && this.#now() - (this.#movedAt.get(id) ?? 0) > QUIET_MS;
  }
}
