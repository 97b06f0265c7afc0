// Generated from proto/common.proto. Do not edit.


/**
 * The cluster's identity.
 */
export interface ClusterRecordInput {
  /**
   * Random id of the cluster, 22 characters; a broker of another cluster is refused.
   */
  'clusterId'?: (string);
}

/**
 * The cluster's identity.
 */
export interface ClusterRecord {
  /**
   * Random id of the cluster, 22 characters; a broker of another cluster is refused.
   */
  'clusterId': (string);
}
