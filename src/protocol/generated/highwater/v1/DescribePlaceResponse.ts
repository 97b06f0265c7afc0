// Generated from proto/agent.proto. Do not edit.

import type { NodePlaceInput as _highwater_v1_NodePlaceInput, NodePlace as _highwater_v1_NodePlace } from '../../highwater/v1/NodePlace.ts';
import type { AfflictionInput as _highwater_v1_AfflictionInput, Affliction as _highwater_v1_Affliction } from '../../highwater/v1/Affliction.ts';
import type { ConfigEntryInput as _highwater_v1_ConfigEntryInput, ConfigEntry as _highwater_v1_ConfigEntry } from '../../highwater/v1/ConfigEntry.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * A cluster, as one of its agents knows it.
 */
export interface DescribePlaceResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Name of the cluster.
   */
  'cluster'?: (string);
  /**
   * "kafka" or "fast".
   */
  'timers'?: (string);
  /**
   * All its nodes.
   */
  'nodes'?: (_highwater_v1_NodePlaceInput)[];
  /**
   * What it suffers on purpose.
   */
  'affliction'?: (_highwater_v1_AfflictionInput | null);
  /**
   * Settings that it was made with, under Kafka's names.
   */
  'config'?: (_highwater_v1_ConfigEntryInput)[];
}

/**
 * A cluster, as one of its agents knows it.
 */
export interface DescribePlaceResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Name of the cluster.
   */
  'cluster': (string);
  /**
   * "kafka" or "fast".
   */
  'timers': (string);
  /**
   * All its nodes.
   */
  'nodes': (_highwater_v1_NodePlace)[];
  /**
   * What it suffers on purpose.
   */
  'affliction': (_highwater_v1_Affliction | null);
  /**
   * Settings that it was made with, under Kafka's names.
   */
  'config': (_highwater_v1_ConfigEntry)[];
}
