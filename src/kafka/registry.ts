// The table of APIs that the wire listener serves (wire section 3). All brokers advertise the same one (wire W-18).
import { apiVersions } from './apis/api-versions.ts';
import { served, type ServedApi } from './apis/api.ts';
import { fetch } from './apis/fetch.ts';
import { initProducerId } from './apis/init-producer-id.ts';
import { listOffsets } from './apis/list-offsets.ts';
import { metadata } from './apis/metadata.ts';
import { produce } from './apis/produce.ts';

/** In the order of keys, as ApiVersions lists them. */
export const WIRE_APIS: readonly ServedApi[] = [
  served(produce),
  served(fetch),
  served(listOffsets),
  served(metadata),
  served(apiVersions),
  served(initProducerId),
];

const byKey: ReadonlyMap<number, ServedApi> = new Map(WIRE_APIS.map((api) => [api.key, api]));

/** The API of a key; undefined for every other, internal ones included (wire W-32, W-63). */
export function wireApi(key: number): ServedApi | undefined {
  return byKey.get(key);
}
