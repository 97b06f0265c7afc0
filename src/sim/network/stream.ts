// One stream in the simulated network: two channels and what each end has heard. As over TCP, a stream survives short
// cuts (what is sent meanwhile is lost) and breaks when a cut or a pause has lasted for the keepalive time, when its
// beginning or end could not be delivered, or when an end dies; what was sent before still arrives before the break.
import type { NodeId } from '../../base/units.ts';
import type { StreamApi } from '../../protocol/apis.ts';
import type { InStream, InStreamEvents, OutStream, StreamEvents } from '../../runtime/ports.ts';
import { Channel } from './channel.ts';
import type { Endpoint, Stamped } from './endpoint.ts';
import type { Fabric } from './fabric.ts';

type Item =
  | { readonly kind: 'message'; readonly message: Stamped }
  | { readonly kind: 'open' | 'end' }
  | { readonly kind: 'break'; readonly reason: string };

const OPEN: Item = { kind: 'open' };
const END: Item = { kind: 'end' };
const broken = (reason: string): Item => ({ kind: 'break', reason });

type Accept = (stream: InStream<object>) => InStreamEvents<object>;

/** What is opened. */
export interface StreamTarget {
  readonly to: NodeId;
  readonly api: StreamApi;
}

export class Stream {
  readonly #fabric: Fabric;
  readonly #client: Endpoint;
  readonly #to: NodeId;
  readonly #api: StreamApi;
  readonly #on: StreamEvents<object>;
  readonly #up: Channel<Item>;
  readonly #down: Channel<Item>;
  /** The process at the far end, from the moment the opening reached it. */
  #server: Endpoint | undefined;
  #arrived = false;
  #serverEvents: InStreamEvents<object> | undefined;
  #clientState: 'open' | 'ended' | 'closed' = 'open';
  #serverState: 'open' | 'closed' = 'open';

  constructor(fabric: Fabric, client: Endpoint, target: StreamTarget, on: StreamEvents<object>) {
    this.#fabric = fabric;
    this.#client = client;
    this.#to = target.to;
    this.#api = target.api;
    this.#on = on;
    const { scheduler } = fabric;
    this.#up = new Channel(
      scheduler,
      () => this.#serverProcess(),
      (item) => this.#atServer(item),
    );
    this.#down = new Channel(
      scheduler,
      () => client.process,
      (item) => this.#atClient(item),
    );
  }

  /** The opener's end. */
  readonly opener: OutStream<object> = {
    send: (request) => {
      if (this.#clientState !== 'open' || !this.#client.process.alive) return;
      this.#sendUp({ kind: 'message', message: this.#client.stamp(this.#api, 'request', request) });
    },
    end: () => {
      if (this.#clientState !== 'open' || !this.#client.process.alive) return;
      this.#clientState = 'ended';
      this.#controlUp(END);
    },
    abort: () => {
      if (this.#clientState === 'closed' || !this.#client.process.alive) return;
      this.#closeClient();
      this.#controlUp(broken('aborted'));
    },
  };

  open(): void {
    this.#client.streams.add(this);
    const { node } = this.#client;
    // A connection needs both directions.
    if (this.#fabric.links.isCut(node, this.#to) || this.#fabric.links.isCut(this.#to, node)) {
      this.#serverState = 'closed';
      this.#down.put(broken('could not connect'), this.#fabric.connectTimeoutUs);
    } else this.#controlUp(OPEN);
  }

  joins(a: NodeId, b: NodeId): boolean {
    const { node } = this.#client;
    return (node === a && this.#to === b) || (node === b && this.#to === a);
  }

  /** A process with an end of this stream died; the other end hears of it behind what was sent. */
  endDied(endpoint: Endpoint): void {
    if (endpoint === this.#client) {
      if (this.#clientState !== 'closed') this.#controlUp(broken('connection reset'));
      this.#closeClient();
    }
    if (endpoint === this.#server) {
      if (this.#serverState === 'open') this.#controlDown(broken('connection reset'));
      this.#closeServer();
    }
  }

  /** Both ends find out for themselves that nothing gets through any more. */
  expire(reason: string): void {
    this.#up.put(broken(reason), 0);
    this.#down.put(broken(reason), 0);
  }

  #sendUp(item: Item): void {
    const { node } = this.#client;
    if (!this.#fabric.links.loses(node, this.#to)) this.#up.put(item, this.#fabric.links.delayUs(node, this.#to));
  }

  #sendDown(item: Item): void {
    const { node } = this.#client;
    if (!this.#fabric.links.loses(this.#to, node)) this.#down.put(item, this.#fabric.links.delayUs(this.#to, node));
  }

  #controlUp(item: Item): void {
    const { node } = this.#client;
    if (this.#fabric.links.isCut(node, this.#to)) this.#expireLater();
    else this.#up.put(item, this.#fabric.links.delayUs(node, this.#to));
  }

  #controlDown(item: Item): void {
    const { node } = this.#client;
    if (this.#fabric.links.isCut(this.#to, node)) this.#expireLater();
    else this.#down.put(item, this.#fabric.links.delayUs(this.#to, node));
  }

  #expireLater(): void {
    this.#fabric.scheduler.after(this.#fabric.keepaliveUs, () => this.expire('keepalive failed'));
  }

  /** Binds the far end when the opening arrives. */
  #serverProcess(): Endpoint['process'] | undefined {
    if (!this.#arrived) {
      this.#arrived = true;
      const endpoint = this.#fabric.endpoint(this.#to);
      if (endpoint?.handlers !== undefined) this.#server = endpoint;
      this.#server?.streams.add(this);
    }
    return this.#server?.process;
  }

  #atServer(item: Item): void {
    if (this.#serverState === 'closed') return;
    switch (item.kind) {
      case 'open':
        this.#accept();
        break;
      case 'message': {
        this.#server?.lamport.observe(item.message.lamport);
        this.#serverEvents?.message(item.message);
        break;
      }
      case 'end':
        this.#serverEvents?.ended();
        break;
      case 'break': {
        this.#closeServer();
        this.#serverEvents?.closed();
      }
    }
  }

  #accept(): void {
    const accept = this.#server?.handlers?.stream[this.#api] as unknown as Accept | undefined;
    if (accept !== undefined) {
      this.#serverEvents = accept(this.#serverEnd());
      return;
    }
    this.#closeServer();
    const reason = this.#server === undefined ? 'connection refused' : `${this.#api} is not served`;
    this.#controlDown(broken(reason));
  }

  #serverEnd(): InStream<object> {
    const server = this.#server!;
    return {
      from: this.#client.node,
      send: (response) => {
        if (this.#serverState !== 'open' || !server.process.alive) return;
        this.#sendDown({ kind: 'message', message: server.stamp(this.#api, 'response', response) });
      },
      end: () => {
        if (this.#serverState !== 'open' || !server.process.alive) return;
        this.#closeServer();
        this.#controlDown(END);
      },
    };
  }

  #atClient(item: Item): void {
    if (this.#clientState === 'closed') return;
    if (item.kind === 'message') {
      this.#client.lamport.observe(item.message.lamport);
      this.#on.message(item.message);
    } else {
      this.#closeClient();
      this.#on.closed(item.kind === 'break' ? item.reason : undefined);
    }
  }

  #closeClient(): void {
    this.#clientState = 'closed';
    this.#forgetIfClosed();
  }

  #closeServer(): void {
    this.#serverState = 'closed';
    this.#forgetIfClosed();
  }

  #forgetIfClosed(): void {
    if (this.#clientState !== 'closed' || this.#serverState !== 'closed') return;
    this.#client.streams.delete(this);
    this.#server?.streams.delete(this);
  }
}
