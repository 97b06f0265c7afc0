// Generated from proto/group.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Its assignment.
 */
export interface SyncGroupResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Error.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * Of the group.
   */
  'protocolType'?: (string);
  /**
   * The chosen protocol.
   */
  'protocolName'?: (string);
  /**
   * Opaque to the coordinator.
   */
  'assignment'?: (Buffer | Uint8Array | string);
}

/**
 * Its assignment.
 */
export interface SyncGroupResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Error.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * Of the group.
   */
  'protocolType': (string);
  /**
   * The chosen protocol.
   */
  'protocolName': (string);
  /**
   * Opaque to the coordinator.
   */
  'assignment': (Buffer);
}
