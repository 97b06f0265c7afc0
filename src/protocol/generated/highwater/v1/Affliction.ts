// Generated from proto/agent.proto. Do not edit.

import type { FaultSpecInput as _highwater_v1_FaultSpecInput, FaultSpec as _highwater_v1_FaultSpec } from '../../highwater/v1/FaultSpec.ts';
import type { CutLinkInput as _highwater_v1_CutLinkInput, CutLink as _highwater_v1_CutLink } from '../../highwater/v1/CutLink.ts';
import type { LentSettingsInput as _highwater_v1_LentSettingsInput, LentSettings as _highwater_v1_LentSettings } from '../../highwater/v1/LentSettings.ts';
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
  /**
   * Settings that are lent; absent: none are.
   */
  'lent'?: (_highwater_v1_LentSettingsInput | null);
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
  /**
   * Settings that are lent; absent: none are.
   */
  'lent': (_highwater_v1_LentSettings | null);
}
