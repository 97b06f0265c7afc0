// How V8 sizes the heap of a process that moves many large buffers.
import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap grow to four times what a full collection leaves. V8 sizes it by the objects that are left, some 18 MiB in
 * a broker, and counts buffers against that: once small, a busy leader is marked as a whole every 80 ms, for a third of
 * its CPU time (measured by `npm run bench`).
 */
export function roomForBuffers(): void {
  setFlagsFromString('--heap-growing-percent=300');
}
