// Generated from proto/faults.proto. Do not edit.


/**
 * One condition on a field of a point. All conditions of a fault must hold.
 */
export interface FaultFilterInput {
  /**
   * Field name as listed by `highwater fault points`.
   */
  'field'?: (string);
  /**
   * "=", "!=", ">=", "<=", ">", "<" (numbers), or "glob".
   */
  'op'?: (string);
  /**
   * Any of these must match; "!=": none of them.
   */
  'values'?: (string)[];
}

/**
 * One condition on a field of a point. All conditions of a fault must hold.
 */
export interface FaultFilter {
  /**
   * Field name as listed by `highwater fault points`.
   */
  'field': (string);
  /**
   * "=", "!=", ">=", "<=", ">", "<" (numbers), or "glob".
   */
  'op': (string);
  /**
   * Any of these must match; "!=": none of them.
   */
  'values': (string)[];
}
