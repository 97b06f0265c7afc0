// Generated from proto/agent.proto. Do not edit.

import type { FaultSpecInput as _highwater_v1_FaultSpecInput, FaultSpec as _highwater_v1_FaultSpec } from '../../highwater/v1/FaultSpec.ts';
import type { CutLinkInput as _highwater_v1_CutLinkInput, CutLink as _highwater_v1_CutLink } from '../../highwater/v1/CutLink.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * What the cluster suffers on purpose.
 */
export interface AfflictionInput {
  /**
   * How many changes it has seen; of two agents that differ, the one that has seen more is right.
   */
  'changes'?: (number | string | Long);
  /**
   * Armed faults.
   */
  'faults'?: (_highwater_v1_FaultSpecInput)[];
  /**
   * Safeguards that are switched off.
   */
  'safeguardsOff'?: (string)[];
  /**
   * Links that are cut.
   */
  'cuts'?: (_highwater_v1_CutLinkInput)[];
}

/**
 * What the cluster suffers on purpose.
 */
export interface Affliction {
  /**
   * How many changes it has seen; of two agents that differ, the one that has seen more is right.
   */
  'changes': (number);
  /**
   * Armed faults.
   */
  'faults': (_highwater_v1_FaultSpec)[];
  /**
   * Safeguards that are switched off.
   */
  'safeguardsOff': (string)[];
  /**
   * Links that are cut.
   */
  'cuts': (_highwater_v1_CutLink)[];
}
