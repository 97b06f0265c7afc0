// Generated from proto/agent.proto. Do not edit.

import type { AddressInput as _highwater_v1_AddressInput, Address as _highwater_v1_Address } from '../../highwater/v1/Address.ts';

/**
 * Where clients outside find a node.
 */
export interface OutsideOfNodeInput {
  /**
   * Node id.
   */
  'id'?: (number);
  /**
   * As those clients reach it, whatever port the node itself listens on.
   */
  'outside'?: (_highwater_v1_AddressInput | null);
}

/**
 * Where clients outside find a node.
 */
export interface OutsideOfNode {
  /**
   * Node id.
   */
  'id': (number);
  /**
   * As those clients reach it, whatever port the node itself listens on.
   */
  'outside': (_highwater_v1_Address | null);
}
