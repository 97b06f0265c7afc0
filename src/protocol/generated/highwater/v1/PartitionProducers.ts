// Generated from proto/transaction.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { ActiveProducerInput as _highwater_v1_ActiveProducerInput, ActiveProducer as _highwater_v1_ActiveProducer } from '../../highwater/v1/ActiveProducer.ts';

/**
 * The producers of one partition.
 */
export interface PartitionProducersInput {
  /**
   * Topic name.
   */
  'topic'?: (string);
  /**
   * Partition index.
   */
  'partition'?: (number);
  /**
   * Its error.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * By producer id.
   */
  'producers'?: (_highwater_v1_ActiveProducerInput)[];
}

/**
 * The producers of one partition.
 */
export interface PartitionProducers {
  /**
   * Topic name.
   */
  'topic': (string);
  /**
   * Partition index.
   */
  'partition': (number);
  /**
   * Its error.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * By producer id.
   */
  'producers': (_highwater_v1_ActiveProducer)[];
}
