// The directed links between simulated nodes: how long messages take, which are lost or come twice, which links are cut.
// Decides nothing about calls and streams; draws from the network's own stream of randomness.
import type { Prng } from '../../base/prng.ts';
import type { DurationMs, NodeId } from '../../base/units.ts';

/** How one direction of a link behaves. */
export interface LinkQuality {
  /** A message takes between these two, evenly. */
  readonly delayMinMs: DurationMs;
  readonly delayMaxMs: DurationMs;
  /** This share of messages takes up to `slowMaxMs` longer: it overtakes nothing on its stream, but others overtake it. */
  readonly slowChance: number;
  readonly slowMaxMs: DurationMs;
  /** This share of messages is lost. Opening and ending a stream is never lost this way, only by a cut. */
  readonly lossChance: number;
  /** This share of unary messages arrives twice. */
  readonly duplicateChance: number;
}

export const GOOD_LINK: LinkQuality = {
  ...{ delayMinMs: 0.1, delayMaxMs: 0.6, slowChance: 0.01, slowMaxMs: 5 },
  ...{ lossChance: 0, duplicateChance: 0 },
};

interface Link {
  quality: LinkQuality;
  cut: boolean;
  /** Counts cuts, so that a check made later knows whether it is still the same one. */
  cutCount: number;
}

/** Node ids are far below this. */
const KEY_BASE = 1_000_000;

export class Links {
  readonly #random: Prng;
  readonly #usual: LinkQuality;
  readonly #links = new Map<number, Link>();

  constructor(random: Prng, usual: LinkQuality) {
    this.#random = random;
    this.#usual = usual;
  }

  /** Changes how `from` reaches `to`; without a change, back to usual. */
  setQuality(from: NodeId, to: NodeId, change: Partial<LinkQuality> | undefined): void {
    this.#link(from, to).quality = { ...this.#usual, ...change };
  }

  /** Cuts one direction; returns the number of this cut. */
  cut(from: NodeId, to: NodeId): number {
    const link = this.#link(from, to);
    if (!link.cut) link.cutCount++;
    link.cut = true;
    return link.cutCount;
  }

  mend(from: NodeId, to: NodeId): void {
    this.#link(from, to).cut = false;
  }

  mendAll(): void {
    for (const link of this.#links.values()) {
      link.cut = false;
      link.quality = this.#usual;
    }
  }

  isCut(from: NodeId, to: NodeId): boolean {
    return this.#links.get(from * KEY_BASE + to)?.cut ?? false;
  }

  /** Whether the cut with this number still lasts. */
  stillCut(from: NodeId, to: NodeId, cutCount: number): boolean {
    const link = this.#link(from, to);
    return link.cut && link.cutCount === cutCount;
  }

  /** How long the next message takes, in whole microseconds. */
  delayUs(from: NodeId, to: NodeId): number {
    const { delayMinMs, delayMaxMs, slowChance, slowMaxMs } = this.#link(from, to).quality;
    const slowMs = this.#random.chance(slowChance) ? this.#random.next() * slowMaxMs : 0;
    return Math.round(1000 * (delayMinMs + this.#random.next() * (delayMaxMs - delayMinMs) + slowMs));
  }

  /** Whether a message sent now is lost: by a cut, or drawn. */
  loses(from: NodeId, to: NodeId): boolean {
    const link = this.#link(from, to);
    return link.cut || this.#random.chance(link.quality.lossChance);
  }

  /** Whether a unary message sent now arrives twice. */
  duplicates(from: NodeId, to: NodeId): boolean {
    return this.#random.chance(this.#link(from, to).quality.duplicateChance);
  }

  #link(from: NodeId, to: NodeId): Link {
    const key = from * KEY_BASE + to;
    let link = this.#links.get(key);
    if (link === undefined) {
      link = { quality: this.#usual, cut: false, cutCount: 0 };
      this.#links.set(key, link);
    }
    return link;
  }
}
