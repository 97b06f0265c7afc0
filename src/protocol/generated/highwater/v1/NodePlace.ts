// Generated from proto/agent.proto. Do not edit.

import type { AddressInput as _highwater_v1_AddressInput, Address as _highwater_v1_Address } from '../../highwater/v1/Address.ts';

/**
 * A node of the cluster.
 */
export interface NodePlaceInput {
  /**
   * Node id.
   */
  'id'?: (number);
  /**
   * "broker" or "controller".
   */
  'role'?: (string);
  /**
   * For nodes and clients in its network.
   */
  'inside'?: (_highwater_v1_AddressInput | null);
  /**
   * For everybody else; absent: it cannot be reached from there.
   */
  'outside'?: (_highwater_v1_AddressInput | null);
}

/**
 * A node of the cluster.
 */
export interface NodePlace {
  /**
   * Node id.
   */
  'id': (number);
  /**
   * "broker" or "controller".
   */
  'role': (string);
  /**
   * For nodes and clients in its network.
   */
  'inside': (_highwater_v1_Address | null);
  /**
   * For everybody else; absent: it cannot be reached from there.
   */
  'outside': (_highwater_v1_Address | null);
}
