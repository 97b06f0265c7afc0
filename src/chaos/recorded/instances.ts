// Producers of a recording that have an identity: which process each is, and which transaction it is in. Under
// transaction.version 2 an identity has a successor at every end (txn T-75): both are the same instance.
import type { Names } from './exchange.ts';
import { type From } from './exchange.ts';

/** One producer, as long as nobody else has taken its identity over. */
export interface Instance {
  readonly process: string;
  readonly clientId: string;
  readonly transactionalId: string;
  producerId: number;
  producerEpoch: number;
  /** Transactions begun, counted from 1. */
  txn: number;
  open: boolean;
}

interface Identity {
  readonly producerId: number;
  readonly producerEpoch: number;
}

export class Instances {
  readonly #names: Names;
  readonly #byIdentity = new Map<string, Instance>();

  constructor(names: Names) {
    this.#names = names;
  }

  /** Who has this identity; undefined if nobody has been given it. */
  of({ producerId, producerEpoch }: Identity): Instance | undefined {
    return this.#byIdentity.get(`${producerId}/${producerEpoch}`);
  }

  /** The same; somebody whose beginning was not recorded is there from now on. */
  known(identity: Identity, { clientId }: From, transactionalId: string): Instance {
    const known = this.of(identity);
    if (known !== undefined) return known;
    const fresh = this.fresh(clientId, transactionalId);
    this.given(fresh, identity);
    return fresh;
  }

  fresh(clientId: string, transactionalId: string): Instance {
    const process = this.#names.instance(clientId);
    return { process, clientId, transactionalId, producerId: -1, producerEpoch: -1, txn: 0, open: false };
  }

  /** An instance was given an identity. */
  given(instance: Instance, { producerId, producerEpoch }: Identity): void {
    if (producerId < 0) return;
    instance.producerId = producerId;
    instance.producerEpoch = producerEpoch;
    this.#byIdentity.set(`${producerId}/${producerEpoch}`, instance);
  }
}
