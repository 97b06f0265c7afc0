// How cores meet faults: a core says that it has reached a point, and goes on when `proceed` is called.
import type { PointName } from './points.ts';

/** What a fault can filter on. Fields that a point does not list are never matched. */
export type PointFields = Readonly<Record<string, string | number | undefined>>;

export interface FaultPoints {
  /**
   * Says that this flow is at a step. `proceed` runs at once unless something armed holds the flow; it runs at most
   * once, and not at all if the node dies here. An unarmed point costs one branch.
   */
  reach(point: PointName, fields: PointFields, proceed: () => void): void;
  /** Says that something happened. May trigger actions elsewhere; cannot hold. */
  observe(point: PointName, fields: PointFields): void;
}

/** For cores outside any run: nothing is ever armed. */
export const NO_FAULTS: FaultPoints = {
  reach: (_point, _fields, proceed) => proceed(),
  observe: () => undefined,
};
