// One kind of promise for all calls of an admin: the value, or a HighwaterError.
import { ERRORS, type ErrorName } from '../protocol/errors.ts';
import type { Calls, CallOptions } from './calls.ts';
import type { AdminResult } from './core/admin.ts';
import { HighwaterError } from './errors.ts';

/** Rejects if nobody answered, or nobody could. Whether a change was made is unknown then. */
export function ask<Value>(
  calls: Calls,
  start: (done: (result: AdminResult<Value>) => void) => void,
  options: CallOptions,
): Promise<Value> {
  return calls.run<Value>((resolve, reject) => {
    start((result) => {
      if (result.kind === 'ok') return resolve(result.value);
      reject(new HighwaterError({ code: result.error, message: result.message, definite: false }));
    });
  }, options);
}

/** The one result of a call about one thing, or its refusal as an error. */
export function accepted<Result extends { readonly error: ErrorName; readonly errorMessage?: string }>(
  result: Result | undefined,
  what: string,
): Result {
  if (result?.error === 'NONE') return result;
  const code = result?.error ?? 'UNKNOWN_SERVER_ERROR';
  const why =
    result?.errorMessage === undefined || result.errorMessage === '' ? ERRORS[code].message : result.errorMessage;
  throw new HighwaterError({ code, message: `${what}: ${why}`, definite: true }); // It was answered: nothing was done.
}
