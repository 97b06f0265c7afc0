// Which variant of the transaction protocol a producer speaks (txn T-191), and whether it needs another epoch before its next
// transaction (txn T-158). A variant holds for a whole transaction.
import type { ClientConfig } from '../config.ts';
import type { ClientMetadata } from '../metadata.ts';

export class TxnVariant {
  readonly #config: ClientConfig;
  readonly #metadata: ClientMetadata;
  #version = 0;
  #next = 0;
  #bumpRequired = false;

  constructor(config: ClientConfig, metadata: ClientMetadata) {
    this.#config = config;
    this.#metadata = metadata;
  }

  /** Of the transaction at hand. 2: leaders register partitions, and every end gives another epoch. */
  get version(): number {
    return this.#version;
  }

  /** Whether the end of the transaction is followed by InitProducerId. */
  get bumpRequired(): boolean {
    return this.#bumpRequired;
  }

  /** Whether the cluster has said what it speaks. */
  get isKnown(): boolean {
    return this.#metadata.transactionVersion !== undefined;
  }

  /** What happened is mended by another epoch. Version 2 gives one anyway. */
  needBump(): void {
    if (this.#version < 2) this.#bumpRequired = true;
  }

  /** The producer has an identity: it speaks what cluster and settings allow. */
  initialized(): void {
    this.#version = this.#next = this.#spoken;
  }

  /** The transaction is about to end, in its own variant. If the next one is version 2, its epoch has to be asked for. */
  ending(): void {
    this.#next = this.#spoken;
    if (this.#next >= 2) this.needBump();
  }

  /** The transaction is over. */
  ended(): void {
    this.#version = this.#next;
    this.#bumpRequired = false;
  }

  get #spoken(): number {
    return Math.min(this.#config['transaction.version'], this.#metadata.transactionVersion ?? 0);
  }
}
