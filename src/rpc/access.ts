// Who calls, and whether he may: node id and secret travel as call metadata (design section 10).
import { createHash, timingSafeEqual } from 'node:crypto';
import grpc from '@grpc/grpc-js';
import type { Metadata } from '@grpc/grpc-js';

const NODE_HEADER = 'x-highwater-node';
const SECRET_HEADER = 'x-highwater-secret';

/** Node id of a caller that did not say who it is, such as grpcurl. */
export const ANONYMOUS = -1;

/** What a caller presents with each call. */
export function callerMetadata(node: number, secret: string): Metadata {
  const metadata = new grpc.Metadata();
  metadata.set(NODE_HEADER, String(node));
  if (secret !== '') metadata.set(SECRET_HEADER, secret);
  return metadata;
}

/** Node id of the caller. */
export function callerNode(metadata: Metadata): number {
  const value = metadata.get(NODE_HEADER)[0];
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : ANONYMOUS;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Checks secrets in constant time. */
export class Gate {
  readonly #expected: Buffer | undefined;

  /** @param secret The cluster's; empty admits everybody (and then only loopback may be bound). */
  constructor(secret: string) {
    this.#expected = secret === '' ? undefined : digest(secret);
  }

  /** Undefined if the caller may, else a sentence that says what to do. */
  refuse(metadata: Metadata): string | undefined {
    if (this.#expected === undefined) return undefined;
    const presented = metadata.get(SECRET_HEADER)[0];
    if (presented === undefined) {
      return `this call needs the cluster's secret as metadata ${SECRET_HEADER}; it is in the state file of the cluster`;
    }
    if (timingSafeEqual(digest(String(presented)), this.#expected)) return undefined;
    return `the secret presented in ${SECRET_HEADER} is not this cluster's; take the one in its state file`;
  }
}
