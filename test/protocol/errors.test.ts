// The error table against the specification's numbers, and against what an answer proves.
import { describe, expect, test } from 'vitest';
import { ERRORS, errorName } from '../../src/protocol/errors.ts';
import type { ErrorName } from '../../src/protocol/errors.ts';

const NUMBERS: Partial<Record<ErrorName, number>> = {
  ...{ UNKNOWN_SERVER_ERROR: -1, OFFSET_OUT_OF_RANGE: 1, CORRUPT_MESSAGE: 2, UNKNOWN_TOPIC_OR_PARTITION: 3 },
  ...{ LEADER_NOT_AVAILABLE: 5, NOT_LEADER_OR_FOLLOWER: 6, REQUEST_TIMED_OUT: 7, MESSAGE_TOO_LARGE: 10 },
  ...{ INVALID_TOPIC_EXCEPTION: 17, RECORD_LIST_TOO_LARGE: 18, NOT_ENOUGH_REPLICAS: 19 },
  ...{ NOT_ENOUGH_REPLICAS_AFTER_APPEND: 20, INVALID_REQUIRED_ACKS: 21, INVALID_TIMESTAMP: 32 },
  ...{ UNSUPPORTED_VERSION: 35, INVALID_REPLICA_ASSIGNMENT: 39, INVALID_CONFIG: 40, NOT_CONTROLLER: 41 },
  ...{ INVALID_REQUEST: 42, POLICY_VIOLATION: 44, OPERATION_NOT_ATTEMPTED: 55, KAFKA_STORAGE_ERROR: 56 },
  ...{ FETCH_SESSION_ID_NOT_FOUND: 70, INVALID_FETCH_SESSION_EPOCH: 71, FENCED_LEADER_EPOCH: 74 },
  ...{ UNKNOWN_LEADER_EPOCH: 75, UNSUPPORTED_COMPRESSION_TYPE: 76, STALE_BROKER_EPOCH: 77 },
  ...{ OFFSET_NOT_AVAILABLE: 78, PREFERRED_LEADER_NOT_AVAILABLE: 80, ELIGIBLE_LEADERS_NOT_AVAILABLE: 83 },
  ...{ ELECTION_NOT_NEEDED: 84, INVALID_RECORD: 87, INVALID_UPDATE_VERSION: 95, UNKNOWN_TOPIC_ID: 100 },
  ...{ DUPLICATE_BROKER_REGISTRATION: 101, INCONSISTENT_TOPIC_ID: 103, INCONSISTENT_CLUSTER_ID: 104 },
  ...{ FETCH_SESSION_TOPIC_ID_ERROR: 106, INELIGIBLE_REPLICA: 107, NEW_LEADER_ELECTED: 108 },
};

test.each(Object.entries(NUMBERS) as [ErrorName, number][])('repl R-12: %s is %i', (name, code) => {
  expect(ERRORS[name].code).toBe(code);
  expect(errorName(code)).toBe(name);
});

test('numbers are not shared, and an unknown one is an unknown error', () => {
  const codes = Object.values(ERRORS).map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  expect(errorName(9999)).toBe('UNKNOWN_SERVER_ERROR');
});

describe('repl R-17: what an answer to a produce proves', () => {
  const unknown: ErrorName[] = [
    ...(['REQUEST_TIMED_OUT', 'NOT_ENOUGH_REPLICAS_AFTER_APPEND', 'NOT_LEADER_OR_FOLLOWER'] as const),
    ...(['KAFKA_STORAGE_ERROR', 'UNKNOWN_SERVER_ERROR', 'NETWORK_EXCEPTION'] as const),
    ...(['UNKNOWN_TOPIC_OR_PARTITION', 'UNKNOWN_TOPIC_ID'] as const), // Repl R-15: acks=all may have waited.
  ];
  test.each(unknown)('%s: nothing', (name) => expect(ERRORS[name].definite).toBe(false));
  const absent: ErrorName[] = [
    ...(['NOT_ENOUGH_REPLICAS', 'INVALID_REQUIRED_ACKS', 'INVALID_RECORD', 'INVALID_TIMESTAMP'] as const),
    ...(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'CORRUPT_MESSAGE', 'INVALID_TOPIC_EXCEPTION'] as const),
    ...(['UNSUPPORTED_COMPRESSION_TYPE', 'INVALID_TXN_STATE'] as const),
  ];
  test.each(absent)('%s: this attempt appended nothing', (name) => expect(ERRORS[name].definite).toBe(true));
});
