// Generated from proto/agent.proto. Do not edit.


/**
 * One node of this host.
 */
export interface NodeStatusInput {
  /**
   * Node id: brokers from 1, the controller 100.
   */
  'id'?: (number);
  /**
   * "broker" or "controller".
   */
  'role'?: (string);
  /**
   * Process id; 0 if not running.
   */
  'pid'?: (number);
  /**
   * "starting", "running", "paused", "stopped" (clean exit), "killed" (by us), "dead" (any other exit).
   */
  'state'?: (string);
  /**
   * Exit code of the last process; -1 if none.
   */
  'exitCode'?: (number);
  /**
   * Signal that ended the last process; empty if none.
   */
  'exitSignal'?: (string);
  /**
   * The fault or command that caused the last exit, or the node's own reason; empty if unknown.
   */
  'cause'?: (string);
  /**
   * Port of its gRPC services.
   */
  'grpcPort'?: (number);
  /**
   * Port of its Kafka listener; 0 for the controller.
   */
  'kafkaPort'?: (number);
  /**
   * Its data directory.
   */
  'dataDir'?: (string);
  /**
   * How often it was started.
   */
  'starts'?: (number);
  /**
   * It runs with other settings than it would be started with now.
   */
  'outdated'?: (boolean);
}

/**
 * One node of this host.
 */
export interface NodeStatus {
  /**
   * Node id: brokers from 1, the controller 100.
   */
  'id': (number);
  /**
   * "broker" or "controller".
   */
  'role': (string);
  /**
   * Process id; 0 if not running.
   */
  'pid': (number);
  /**
   * "starting", "running", "paused", "stopped" (clean exit), "killed" (by us), "dead" (any other exit).
   */
  'state': (string);
  /**
   * Exit code of the last process; -1 if none.
   */
  'exitCode': (number);
  /**
   * Signal that ended the last process; empty if none.
   */
  'exitSignal': (string);
  /**
   * The fault or command that caused the last exit, or the node's own reason; empty if unknown.
   */
  'cause': (string);
  /**
   * Port of its gRPC services.
   */
  'grpcPort': (number);
  /**
   * Port of its Kafka listener; 0 for the controller.
   */
  'kafkaPort': (number);
  /**
   * Its data directory.
   */
  'dataDir': (string);
  /**
   * How often it was started.
   */
  'starts': (number);
  /**
   * It runs with other settings than it would be started with now.
   */
  'outdated': (boolean);
}
