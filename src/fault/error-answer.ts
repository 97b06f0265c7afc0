// Turns an answer into one that carries an error: what a broker would say instead. Read by shape, as in message-fields.ts.
import type { ErrorName } from '../protocol/errors.ts';

/** Fields that an answer with an error leaves at "unknown" (repl R-33, wire section 7). */
const UNKNOWN_ON_ERROR = [
  'highWatermark',
  'lastStableOffset',
  'logStartOffset',
  'baseOffset',
  'offset',
  'endOffset',
  'timestamp',
  'logAppendTimeMs',
];

/** A copy of `response` in which every partition (or topic, or result), else the whole, answers `error`. */
export function withError<Response extends object>(response: Response, error: ErrorName): Response {
  const copy = { ...response } as Record<string, unknown>;
  let perPart = false;
  for (const list of ['markers', 'transactions']) {
    const several = copy[list];
    if (!Array.isArray(several) || several.length === 0) continue;
    copy[list] = several.map((each: object) => withError(each, error));
    perPart = true;
  }
  for (const list of ['partitions', 'results', 'topics']) {
    const parts = copy[list];
    if (!Array.isArray(parts) || parts.length === 0) continue;
    copy[list] = parts.map((part: object) => partWithError(part, error));
    perPart = true;
  }
  if (!perPart && 'error' in copy) copy['error'] = error;
  return copy as unknown as Response;
}

function partWithError(part: object, error: ErrorName): object {
  const copy = { ...part, error } as Record<string, unknown>;
  for (const field of UNKNOWN_ON_ERROR) {
    if (field in copy) copy[field] = -1;
  }
  if ('records' in copy) copy['records'] = Buffer.alloc(0);
  if ('divergingEpoch' in copy) copy['divergingEpoch'] = null;
  return copy;
}
