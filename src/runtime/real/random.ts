// Randomness of a process: numbers from a seeded stream, so that a plan can be repeated, and ids from the operating
// system, because the next start of a node with the same seed is another incarnation (repl R-87).
import { randomBytes } from 'node:crypto';
import { Prng } from '../../base/prng.ts';
import type { Random } from '../ports.ts';

/** Randomness from a seed; 0 draws one. */
export function createRandom(seed: number): Random {
  return withRealIds(new Prng(seed === 0 ? randomBytes(16).toString('hex') : seed));
}

function withRealIds(stream: Random): Random {
  return {
    next: () => stream.next(),
    below: (bound) => stream.below(bound),
    id: randomId,
    fork: (name) => withRealIds(stream.fork(name)),
  };
}

/** 22 characters of base64url (128 bits) that do not begin with a dash: safe as a word on a command line. */
export function randomId(): string {
  for (;;) {
    const id = randomBytes(16).toString('base64url');
    if (!id.startsWith('-')) return id;
  }
}
