// Generated from proto/faults.proto. Do not edit.


/**
 * One direction of a cut link.
 */
export interface CutLinkInput {
  /**
   * The sending node.
   */
  'from'?: (number);
  /**
   * The receiving node.
   */
  'to'?: (number);
}

/**
 * One direction of a cut link.
 */
export interface CutLink {
  /**
   * The sending node.
   */
  'from': (number);
  /**
   * The receiving node.
   */
  'to': (number);
}
