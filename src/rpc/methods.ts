// Where each API of the one table lives on the wire, and how its messages are stamped with Lamport time. gRPC carries
// bytes that are encoded and decoded here, so that a message is a copy of the moment it was sent and a malformed one is
// an answer, not an exception.
import type { Api } from '../protocol/apis.ts';
import { APIS } from '../protocol/apis.ts';
import type { LamportClock } from '../runtime/lamport.ts';
import { messageCodec, type MessageCodec } from '../runtime/codec.ts';

/** "/highwater.v1.BrokerReplication/Fetch". */
export function pathOf(api: Api): string {
  return `/highwater.v1.${APIS[api].service}/${api}`;
}

/** Puts a body of a core on the wire. */
export function encodeBody(type: string, body: object, lamport: LamportClock): Buffer {
  return codecOf(type).encode({ lamport: lamport.tick(), ...body });
}

/** Takes a body off the wire: throws MalformedMessage. */
export function decodeBody(type: string, bytes: Buffer, lamport: LamportClock): object {
  const { lamport: time, ...body } = codecOf(type).decode(bytes) as { lamport?: number };
  if (time !== undefined) lamport.observe(time);
  return body;
}

const codecOf = (type: string): MessageCodec => messageCodec(type);
