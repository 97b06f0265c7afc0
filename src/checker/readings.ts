// Polls and positions as checkers see them.
import type { Offset } from '../base/units.ts';
import type { PositionOp, SeenRecord } from '../history/operations.ts';

/** A poll that was answered. */
export interface Poll {
  readonly index: number;
  readonly reader: string;
  readonly partition: string;
  readonly from: Offset;
  readonly to: Offset;
  readonly records: readonly SeenRecord[];
}

/** What one reader did in one partition, in order. */
export interface Reading {
  readonly reader: string;
  readonly partition: string;
  readonly steps: readonly (Poll | PositionOp)[];
}

export function isPoll(step: Poll | PositionOp): step is Poll {
  return 'records' in step;
}
