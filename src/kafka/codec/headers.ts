// Request and response headers (wire W-7 to W-11): what stands before every body.
import type { Reader } from '../../base/field-reader.ts';
import { Writer } from '../../base/field-writer.ts';

/** The part of a request header that has the same place in every version. */
export interface RequestHeader {
  readonly apiKey: number;
  readonly apiVersion: number;
  readonly correlationId: number;
  /** '' if null. Its length is an int16 even in header v2. */
  readonly clientId: string;
}

/** Reads a header v1. Of a header v2 the tag section remains: it stands before the body and is read in its mode. */
export function readRequestHeader(reader: Reader): RequestHeader {
  return {
    apiKey: reader.int16(),
    apiVersion: reader.int16(),
    correlationId: reader.int32(),
    clientId: reader.nullableString() ?? '',
  };
}

/** How a response is to be laid out. */
export interface ResponseLayout {
  readonly correlationId: number;
  /** Whether the header ends in a tag section (header v1). */
  readonly taggedHeader: boolean;
  /** Whether the body is of a flexible version. */
  readonly flexible: boolean;
}

/** A whole response frame, size included, as parts to be written one after the other. */
export function encodeResponse(layout: ResponseLayout, body: (writer: Writer) => void): Buffer[] {
  const writer = new Writer(layout.flexible);
  writer.int32(0).int32(layout.correlationId);
  if (layout.taggedHeader) writer.uvarint(0);
  body(writer);
  const parts = writer.finish();
  parts[0]!.writeInt32BE(writer.sizeBytes - 4, 0);
  return parts;
}
