// Generated from proto/common.proto. Do not edit.


/**
 * A list of broker ids, so that "unchanged" (absent) differs from "empty".
 */
export interface BrokerIdsInput {
  /**
   * The ids.
   */
  'ids'?: (number)[];
}

/**
 * A list of broker ids, so that "unchanged" (absent) differs from "empty".
 */
export interface BrokerIds {
  /**
   * The ids.
   */
  'ids': (number)[];
}
