// What one witness has shown of each send. The next witness begins anew without anything being emptied: a map of objects for each
// of them is most of what looking for duplicates costs.
import type { TrackedSend } from './arrange.ts';

export class Marks<Mark> {
  readonly #marks: Mark[] = [];
  /** In which round each mark was made. */
  readonly #rounds: number[] = [];
  #round = 0;

  /** Forgets all marks. */
  begin(): void {
    this.#round += 1;
  }

  get({ ordinal }: TrackedSend): Mark | undefined {
    return this.#rounds[ordinal] === this.#round ? this.#marks[ordinal] : undefined;
  }

  set({ ordinal }: TrackedSend, mark: Mark): void {
    this.#rounds[ordinal] = this.#round;
    this.#marks[ordinal] = mark;
  }
}
