// What can be done to a flow that has reached a point.
import type { ErrorName } from '../protocol/errors.ts';

/** A step can only go on or stop; a message also knows the other ways. Which are there is checked when a fault is armed. */
export interface Flow {
  /** Goes on. A duplicate goes on twice. */
  go(): void;
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
}
