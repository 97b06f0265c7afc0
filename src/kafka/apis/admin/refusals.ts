// The sentences that come with errors of administration. The errors themselves are the cores'.
import { ERRORS, type ErrorName } from '../../../protocol/errors.ts';

/** What is said when the controller has not answered (wire W-77). */
export const UNANSWERED = {
  NOT_CONTROLLER: 'the controller could not be reached; nothing was asked of it',
  REQUEST_TIMED_OUT: 'the controller has not answered in time; it may do it yet',
} as const;

/** What a sentence may quote of a request must not make it longer than a string of the wire can be. */
const MESSAGE_CHARACTERS_MAX = 1000;

/** A message for a response: null on success (wire W-35), else a sentence. */
export function messageOf(error: ErrorName, message: string): string | null {
  if (error === 'NONE') return null;
  if (message === '') return ERRORS[error].message;
  return message.length <= MESSAGE_CHARACTERS_MAX ? message : `${message.slice(0, MESSAGE_CHARACTERS_MAX)}…`;
}

/** Kafka answers once for what a request names twice; of several answers the last stays. */
export function oncePer<T>(answers: readonly T[], key: (answer: T) => string | null): readonly T[] {
  return [...new Map(answers.map((answer, at) => [key(answer) ?? at, answer])).values()];
}
