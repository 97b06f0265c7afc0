// The simulated network as a whole: which processes are there, how messages travel between them, and when connections
// break. Loss drops single messages, also on streams, as a message fault would (design section 5); only cuts, pauses and
// deaths break connections. A restarted node has a new endpoint: what was sent to the old one is refused.
import type { Prng } from '../../base/prng.ts';
import type { DurationMs, NodeId } from '../../base/units.ts';
import type { Api } from '../../protocol/apis.ts';
import type { LamportClock } from '../../runtime/lamport.ts';
import type { Process } from '../process.ts';
import type { Scheduler } from '../scheduler.ts';
import { WireCopy } from '../wire-copy.ts';
import { Endpoint, type Stamped } from './endpoint.ts';
import { GOOD_LINK, Links, type LinkQuality } from './links.ts';

export interface NetworkOptions {
  /** How links are unless told otherwise. */
  readonly link: Partial<LinkQuality>;
  /** A stream breaks when a cut or a pause has lasted this long, as by keepalive. */
  readonly keepaliveMs: DurationMs;
  /** A stream that cannot be opened because of a cut closes after this. */
  readonly connectTimeoutMs: DurationMs;
  /** This share of messages also goes through the protobuf codec and must come back equal; 1 in conformance runs. */
  readonly codecSample: number;
}

export const DEFAULT_NETWORK: NetworkOptions = {
  link: {},
  keepaliveMs: 3000,
  connectTimeoutMs: 3000,
  codecSample: 1 / 256,
};

export class Fabric {
  readonly scheduler: Scheduler;
  readonly links: Links;
  readonly keepaliveUs: number;
  readonly connectTimeoutUs: number;
  readonly #codecSample: number;
  readonly #sampling: Prng;
  readonly #wire = new WireCopy();
  readonly #endpoints = new Map<NodeId, Endpoint>();

  constructor(scheduler: Scheduler, random: Prng, options: NetworkOptions) {
    this.scheduler = scheduler;
    this.links = new Links(random.fork('links'), { ...GOOD_LINK, ...options.link });
    this.#sampling = random.fork('codec');
    this.keepaliveUs = Math.round(options.keepaliveMs * 1000);
    this.connectTimeoutUs = Math.round(options.connectTimeoutMs * 1000);
    this.#codecSample = options.codecSample;
  }

  /** A process joins; it listens once it serves. */
  attach(process: Process, lamport: LamportClock): Endpoint {
    const endpoint = new Endpoint(this, process, lamport);
    this.#endpoints.set(process.node, endpoint);
    return endpoint;
  }

  /** The process died: connections to it break. */
  detach(node: NodeId): void {
    const endpoint = this.#endpoints.get(node);
    this.#endpoints.delete(node);
    endpoint?.died();
  }

  /** The process that is there now. */
  endpoint(node: NodeId): Endpoint | undefined {
    return this.#endpoints.get(node);
  }

  /** Everything sent from `from` to `to` from now on is lost. What is under way still arrives. */
  cut(from: NodeId, to: NodeId): void {
    const cutCount = this.links.cut(from, to);
    this.scheduler.after(this.keepaliveUs, () => {
      if (!this.links.stillCut(from, to, cutCount)) return;
      for (const stream of this.endpoint(from)?.streams ?? [])
        if (stream.joins(from, to)) stream.expire('keepalive failed');
      // The far side may know streams that `from`, restarted meanwhile, does not.
      for (const stream of this.endpoint(to)?.streams ?? [])
        if (stream.joins(from, to)) stream.expire('keepalive failed');
    });
  }

  mend(from: NodeId, to: NodeId): void {
    this.links.mend(from, to);
  }

  /** The process was paused: if that lasts, its peers give up their streams; it will hear so after its resume. */
  paused(process: Process): void {
    const { pauseCount } = process;
    this.scheduler.after(this.keepaliveUs, () => {
      if (process.state !== 'paused' || process.pauseCount !== pauseCount) return;
      for (const stream of this.endpoint(process.node)?.streams ?? []) stream.expire('keepalive failed');
    });
  }

  /** Carries a unary message: `arrive` runs once, twice or never. */
  sendUnary(from: NodeId, to: NodeId, arrive: () => void): void {
    const { links, scheduler } = this;
    if (links.duplicates(from, to) && !links.isCut(from, to)) scheduler.after(links.delayUs(from, to), arrive);
    if (!links.loses(from, to)) scheduler.after(links.delayUs(from, to), arrive);
  }

  /** Carries what the hosts say to each other about connections: lost only by a cut. */
  sendControl(from: NodeId, to: NodeId, arrive: () => void): void {
    if (!this.links.isCut(from, to)) this.scheduler.after(this.links.delayUs(from, to), arrive);
  }

  /** The message as it will be delivered. */
  carry(api: Api, direction: 'request' | 'response', message: object, lamport: number): Stamped {
    const copy = this.#wire.copy(api, direction, message, lamport);
    if (this.#codecSample > 0 && this.#sampling.chance(this.#codecSample)) this.#wire.verify(api, direction, copy);
    return copy as unknown as Stamped;
  }

  /** A second copy, for a message that may be delivered twice. */
  copyOf(api: Api, direction: 'request' | 'response', message: Stamped): Stamped {
    return this.#wire.copy(api, direction, message, message.lamport) as unknown as Stamped;
  }
}
