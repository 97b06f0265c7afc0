// Generated from proto/broker.proto. Do not edit.


/**
 * Why one record of a batch was refused.
 */
export interface RecordErrorInput {
  /**
   * Index of the record in its batch.
   */
  'batchIndex'?: (number);
  /**
   * A sentence.
   */
  'message'?: (string);
}

/**
 * Why one record of a batch was refused.
 */
export interface RecordError {
  /**
   * Index of the record in its batch.
   */
  'batchIndex': (number);
  /**
   * A sentence.
   */
  'message': (string);
}
