// The seeded random numbers of simulated runs and of plans: xoshiro128** (Blackman, Vigna) over 32-bit integers, so that
// a seed gives the same numbers in every process and on every machine. Not for secrets.

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const ID_LENGTH = 22;
const DASH = 62;

/** Four 32-bit words that depend on every character of the text, in the manner of MurmurHash3's mixing. */
function seedWords(text: string): [number, number, number, number] {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = b ^ Math.imul(a ^ unit, 597399067);
    b = c ^ Math.imul(b ^ unit, 2869860233);
    c = d ^ Math.imul(c ^ unit, 951274213);
    d = a ^ Math.imul(d ^ unit, 2716044179);
  }
  a = finish(c ^ (a >>> 18), 597399067);
  b = finish(d ^ (b >>> 22), 2869860233);
  c = finish(a ^ (c >>> 17), 951274213);
  d = finish(b ^ (d >>> 19), 2716044179);
  // All zeros is the one state that the generator never leaves.
  return (a | b | c | d) === 0 ? [1, 0, 0, 0] : [a, b, c, d];
}

function finish(word: number, factor: number): number {
  const mixed = Math.imul(word ^ (word >>> 16), factor);
  return mixed ^ (mixed >>> 13);
}

/** A stream of random numbers; satisfies the `Random` port. */
export class Prng {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  /** Equal seeds give equal streams; 7 and "7" are the same seed. */
  constructor(seed: string | number) {
    this.#seed = String(seed);
    [this.#a, this.#b, this.#c, this.#d] = seedWords(this.#seed);
    // The first outputs of nearby seeds resemble each other.
    for (let i = 0; i < 12; i++) this.word();
  }

  /** 32 random bits as a whole number in [0, 2^32). */
  word(): number {
    const scrambled = Math.imul(this.#b, 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9);
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result >>> 0;
  }

  /** In [0, 1), in steps of 2^-53. */
  next(): number {
    return ((this.word() >>> 5) * 67108864 + (this.word() >>> 6)) / 9007199254740992;
  }

  /** A whole number in [0, bound); bound is a positive safe integer. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return probability > 0 && this.next() < probability;
  }

  /** A random id: 16 bytes as 22 characters of base64url, never beginning with a dash. */
  id(): string {
    let text = '';
    while (text.length < ID_LENGTH) {
      const index = this.word() >>> 26;
      // Of the last character only two bits are part of the bytes: the others are 0, as on its way back from the wire.
      if (text.length === ID_LENGTH - 1) text += BASE64URL[index & 0x30];
      else if (index !== DASH || text.length > 0) text += BASE64URL[index];
    }
    return text;
  }

  /** A stream of its own, determined by this stream's seed and the name, not by what was drawn. */
  fork(name: string): Prng {
    return new Prng(`${this.#seed}/${name}`);
  }
}
