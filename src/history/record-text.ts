// What a record is called in histories and scenarios: its value; "k1=m0" if it has a key; "k1=" if it is the tombstone of one.
// The same where it is sent, where it is read and where it lies, so that it can be found again. In a key a backslash stands before
// "=" and before a backslash; a key that is no text is named by its bytes, so that no two keys have one name.

const KEY = /^((?:[^\\=]|\\.)*)=/su;

/** A record with these bytes. */
export function recordText(key: Buffer | null, value: Buffer | null): string {
  const text = value?.toString('utf8') ?? '';
  return key === null ? text : `${keyText(key).replace(/[\\=]/gu, '\\$&')}=${text}`;
}

function keyText(key: Buffer): string {
  const text = key.toString('utf8');
  return Buffer.from(text).equals(key) ? text : `0x${key.toString('hex')}`;
}

/** The bytes of a record that is called so. What has no key has a value, if an empty one. */
export function recordBytes(text: string): { readonly key: Buffer | null; readonly value: Buffer | null } {
  const key = keyOf(text);
  if (key === undefined) return { key: null, value: Buffer.from(text) };
  const value = text.slice(key.length + 1);
  return { key: Buffer.from(key.replace(/\\(.)/gsu, '$1')), value: value === '' ? null : Buffer.from(value) };
}

/** The key of a record that is called so, as it is written there; undefined: it has none. */
export function keyOf(text: string): string | undefined {
  return KEY.exec(text)?.[1];
}

/** Whether a record that is called so deletes what its key stood for. */
export function isTombstone(text: string): boolean {
  return keyOf(text)?.length === text.length - 1;
}
