// Generated from proto/faults.proto. Do not edit.

import type { FaultFilterInput as _highwater_v1_FaultFilterInput, FaultFilter as _highwater_v1_FaultFilter } from '../../highwater/v1/FaultFilter.ts';
import type { FaultActionInput as _highwater_v1_FaultActionInput, FaultAction as _highwater_v1_FaultAction } from '../../highwater/v1/FaultAction.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * A fault: where it strikes, when, and what it does.
 */
export interface FaultSpecInput {
  /**
   * Its name, unique in the cluster.
   */
  'id'?: (string);
  /**
   * Point name; see src/fault/points.ts.
   */
  'point'?: (string);
  /**
   * Conditions on the point's fields.
   */
  'where'?: (_highwater_v1_FaultFilterInput)[];
  /**
   * Strike at the n-th match only (from 1); 0: at each.
   */
  'nth'?: (number | string | Long);
  /**
   * Strike at most this often; 0: no limit.
   */
  'times'?: (number | string | Long);
  /**
   * Strike with this probability, drawn from the node's seed; 0 arms nothing, 1 always.
   */
  'probability'?: (number | string);
  /**
   * What it does.
   */
  'action'?: (_highwater_v1_FaultActionInput | null);
  /**
   * Expires on the node after this long, by the node's own clock, ms; 0: never.
   */
  'ttlMs'?: (number | string | Long);
  /**
   * Who armed it: "cli", or the id of a run.
   */
  'owner'?: (string);
}

/**
 * A fault: where it strikes, when, and what it does.
 */
export interface FaultSpec {
  /**
   * Its name, unique in the cluster.
   */
  'id': (string);
  /**
   * Point name; see src/fault/points.ts.
   */
  'point': (string);
  /**
   * Conditions on the point's fields.
   */
  'where': (_highwater_v1_FaultFilter)[];
  /**
   * Strike at the n-th match only (from 1); 0: at each.
   */
  'nth': (number);
  /**
   * Strike at most this often; 0: no limit.
   */
  'times': (number);
  /**
   * Strike with this probability, drawn from the node's seed; 0 arms nothing, 1 always.
   */
  'probability': (number);
  /**
   * What it does.
   */
  'action': (_highwater_v1_FaultAction | null);
  /**
   * Expires on the node after this long, by the node's own clock, ms; 0: never.
   */
  'ttlMs': (number);
  /**
   * Who armed it: "cli", or the id of a run.
   */
  'owner': (string);
}
