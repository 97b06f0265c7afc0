// Generated from proto/controller.proto. Do not edit.


/**
 * A reassignment that is not complete (repl R-107).
 */
export interface OngoingReassignmentInput {
  /**
   * Topic name.
   */
  'topic'?: (string);
  /**
   * Partition index.
   */
  'partition'?: (number);
  /**
   * Brokers assigned now: where it goes, then those that go away.
   */
  'replicas'?: (number)[];
  /**
   * Of these, those that are added.
   */
  'addingReplicas'?: (number)[];
  /**
   * Of these, those that are removed.
   */
  'removingReplicas'?: (number)[];
}

/**
 * A reassignment that is not complete (repl R-107).
 */
export interface OngoingReassignment {
  /**
   * Topic name.
   */
  'topic': (string);
  /**
   * Partition index.
   */
  'partition': (number);
  /**
   * Brokers assigned now: where it goes, then those that go away.
   */
  'replicas': (number)[];
  /**
   * Of these, those that are added.
   */
  'addingReplicas': (number)[];
  /**
   * Of these, those that are removed.
   */
  'removingReplicas': (number)[];
}
