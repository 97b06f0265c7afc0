// Null on the wire, empty among the brokers: texts that a request or an answer may do without.

/** The same text; null if it is empty. */
export function orNull(text: string): string | null {
  return text === '' ? null : text;
}
