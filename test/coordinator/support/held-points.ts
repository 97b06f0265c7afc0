// Fault points of a test: it is told what was reached, and can hold what it names.
import type { FaultPoints, PointFields } from '../../../src/fault/reach.ts';

export interface Reached {
  readonly point: string;
  readonly fields: PointFields;
}

export interface Held extends Reached {
  /** Lets it go on. */
  release(): void;
}

export class HeldPoints implements FaultPoints {
  readonly reached: Reached[] = [];
  readonly held: Held[] = [];
  readonly #armed = new Map<string, PointFields>();

  /** Holds what reaches the point with these fields from now on. */
  hold(point: string, where: PointFields = {}): void {
    this.#armed.set(point, where);
  }

  /** Holds no more; what is held stays held. */
  disarm(point: string): void {
    this.#armed.delete(point);
  }

  /** Lets all go that is held, and holds nothing more. */
  releaseAll(): void {
    this.#armed.clear();
    for (const held of this.held.splice(0)) held.release();
  }

  reach(point: string, fields: PointFields, proceed: () => void): void {
    this.reached.push({ point, fields });
    const where = this.#armed.get(point);
    if (where !== undefined && Object.entries(where).every(([name, value]) => fields[name] === value)) {
      this.held.push({ point, fields, release: proceed });
    } else proceed();
  }

  observe(point: string, fields: PointFields): void {
    this.reached.push({ point, fields });
  }

  /** Names of what was reached, in order, since the last call. */
  names(): string[] {
    return this.reached.splice(0).map(({ point }) => point);
  }
}
