// Generated from proto/agent.proto. Do not edit.


/**
 * Where a node and its agent are reached.
 */
export interface AddressInput {
  /**
   * Name or address.
   */
  'host'?: (string);
  /**
   * Port of its agent.
   */
  'agentPort'?: (number);
  /**
   * Port of its gRPC services.
   */
  'grpcPort'?: (number);
  /**
   * Port of its Kafka listener; 0 for the controller.
   */
  'kafkaPort'?: (number);
}

/**
 * Where a node and its agent are reached.
 */
export interface Address {
  /**
   * Name or address.
   */
  'host': (string);
  /**
   * Port of its agent.
   */
  'agentPort': (number);
  /**
   * Port of its gRPC services.
   */
  'grpcPort': (number);
  /**
   * Port of its Kafka listener; 0 for the controller.
   */
  'kafkaPort': (number);
}
