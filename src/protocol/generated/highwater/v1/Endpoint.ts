// Generated from proto/common.proto. Do not edit.


/**
 * One address on which a node can be reached.
 */
export interface EndpointInput {
  /**
   * "REPLICATION" (gRPC, brokers and clients of ours) or "KAFKA" (the Kafka wire protocol).
   */
  'name'?: (string);
  /**
   * Host name or numeric address, as others should dial it.
   */
  'host'?: (string);
  /**
   * TCP port.
   */
  'port'?: (number);
}

/**
 * One address on which a node can be reached.
 */
export interface Endpoint {
  /**
   * "REPLICATION" (gRPC, brokers and clients of ours) or "KAFKA" (the Kafka wire protocol).
   */
  'name': (string);
  /**
   * Host name or numeric address, as others should dial it.
   */
  'host': (string);
  /**
   * TCP port.
   */
  'port': (number);
}
