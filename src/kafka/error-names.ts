// Names of Kafka's errors by number.
import { ERRORS, type ErrorName } from '../protocol/errors.ts';

const NAMES: ReadonlyMap<number, ErrorName> = new Map(
  (Object.entries(ERRORS) as [ErrorName, { readonly code: number }][]).map(([name, { code }]) => [code, name]),
);

/** UNKNOWN_SERVER_ERROR for a number that is none of ours. */
export function errorName(code: number): ErrorName {
  return NAMES.get(code) ?? 'UNKNOWN_SERVER_ERROR';
}
