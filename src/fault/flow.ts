// What can be done to a flow that has reached a point.
import type { ErrorName } from '../protocol/errors.ts';

/**
 * A step can only go on or stop; a message and a disk also know other ways. Which are there is checked when a fault is armed.
 */
export interface Flow {
  /** Goes on. A duplicate goes on twice. */
  go(): void;
  /** A message: `both` lets it go twice; whatever is behind it leaves after the second. */
  together?(both: () => void): void;
  /** A message: will never be sent. */
  drop?(): void;
  /**
   * A message: is sent right after the next one of its kind to the same node; then `overtaken` is called. The answer
   * gives up waiting for that: the message is sent at once, and `overtaken` is not called.
   */
  swap?(overtaken: () => void): () => void;
  /** A message: its connection breaks instead. */
  disconnect?(reason: string): void;
  /** An answer: goes on as this error. */
  answerError?(error: ErrorName): void;
  /** A request: is sent, and its answer lost. An answer: is lost. */
  loseResponse?(): void;
  /** A write or read of a disk: fails, with this reason, once it goes on. */
  fail?(reason: string): void;
  /** What was read from a disk: has another bit. */
  flipBit?(): void;
}
