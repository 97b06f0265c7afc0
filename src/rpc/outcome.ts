// What gRPC's statuses mean at the port: a peer that did not answer in time, or a connection that broke. Both are
// indefinite: the peer may have acted, or may still act.
import grpc from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';
import type { Outcome } from '../runtime/ports.ts';

/** A status as a reason; undefined for OK. */
export function describeStatus(status: { readonly code: number; readonly details: string }): string | undefined {
  if (status.code === grpc.status.OK) return undefined;
  return `${grpc.status[status.code] ?? status.code}: ${status.details}`;
}

/** The outcome of a unary call that failed. */
export function failedOutcome(error: ServiceError): Outcome<never> {
  if (error.code === grpc.status.DEADLINE_EXCEEDED) return { kind: 'timed-out' };
  return { kind: 'disconnected', reason: describeStatus(error) ?? error.message };
}
