// One client: its node, its metadata, and the producers, consumers and admins that share them. The synchronous core that
// shells and the simulator use alike.
import type { DurationMs, NodeId } from '../../base/units.ts';
import type { Runtime } from '../../runtime/ports.ts';
import type { TimerProfile } from '../../protocol/config.ts';
import { AdminCore } from './admin.ts';
import { clientConfig, type ClientConfig } from './config.ts';
import { ConsumerCore, type ConsumerParts } from './consumer.ts';
import { GroupConsumerCore, type GroupConsumerParts } from './group/group-consumer.ts';
import { ClientMetadata } from './metadata.ts';
import { ProducerCore } from './producer.ts';

export interface ClientCoreOptions {
  readonly runtime: Runtime;
  /** Nodes to ask first. The host has told the network how to reach them; they need not be real broker ids. */
  readonly bootstrap: readonly NodeId[];
  readonly clientId: string;
  readonly profile?: TimerProfile;
  /** Settings by Kafka's names, for all parts; each part may override them. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** Settings by Kafka's names. */
export type ConfigOverrides = Readonly<Record<string, unknown>>;

export class ClientCore {
  readonly #options: ClientCoreOptions;
  readonly config: ClientConfig;
  readonly metadata: ClientMetadata;
  readonly #producers = new Set<ProducerCore>();
  readonly #consumers = new Set<ConsumerCore>();
  readonly #members = new Set<GroupConsumerCore>();
  readonly #adminMetadata: ClientMetadata;
  readonly #admin: AdminCore;

  /** Throws ConfigError. */
  constructor(options: ClientCoreOptions) {
    this.#options = options;
    this.config = clientConfig(options.config, options.profile);
    this.metadata = new ClientMetadata(options.runtime, this.config, options.bootstrap);
    // Questions must not create the topics they ask about, so an admin has metadata of its own (wire W-69).
    const config = clientConfig({ ...options.config, 'allow.auto.create.topics': false }, options.profile);
    this.#adminMetadata = new ClientMetadata(options.runtime, config, options.bootstrap);
    this.#admin = new AdminCore({ runtime: options.runtime, config, metadata: this.#adminMetadata });
  }

  get clientId(): string {
    return this.#options.clientId;
  }

  /** Throws ConfigError. */
  producer(config: ConfigOverrides = {}): ProducerCore {
    const { runtime, clientId } = this.#options;
    const producer: ProducerCore = new ProducerCore({
      ...{ runtime, clientId, metadata: this.metadata, config: this.#configOf(config) },
      onClosed: () => this.#producers.delete(producer),
    });
    this.#producers.add(producer);
    return producer;
  }

  /** Throws ConfigError. */
  consumer(config: ConfigOverrides = {}, hooks: Pick<ConsumerParts, 'onPosition' | 'decompress'> = {}): ConsumerCore {
    const { runtime } = this.#options;
    const consumer: ConsumerCore = new ConsumerCore({
      ...{ runtime, metadata: this.metadata, config: this.#configOf(config), ...hooks },
      onClosed: () => this.#consumers.delete(consumer),
    });
    this.#consumers.add(consumer);
    return consumer;
  }

  /** A member of the group `group.id`. Throws ConfigError. */
  groupConsumer(
    config: ConfigOverrides,
    hooks: Pick<GroupConsumerParts, 'onPosition' | 'decompress' | 'onCommit' | 'onFetchOffsets'> = {},
  ): GroupConsumerCore {
    const { runtime, clientId } = this.#options;
    const member: GroupConsumerCore = new GroupConsumerCore({
      ...{ runtime, clientId, metadata: this.metadata, config: this.#configOf(config), ...hooks },
      onClosed: () => this.#members.delete(member),
    });
    this.#members.add(member);
    return member;
  }

  admin(): AdminCore {
    return this.#admin;
  }

  /** Closes everything; producers and members of groups get `timeoutMs` for what is under way. `done` is called within that time. */
  close(timeoutMs: DurationMs, done: () => void): void {
    for (const consumer of [...this.#consumers]) consumer.close();
    this.#admin.close();
    const slow = [...this.#members, ...this.#producers];
    let open = slow.length;
    const finish = (): void => {
      this.metadata.close();
      this.#adminMetadata.close();
      done();
    };
    if (open === 0) {
      this.#options.runtime.clock.after(0, finish);
      return;
    }
    for (const part of slow) {
      part.close(timeoutMs, () => {
        open -= 1;
        if (open === 0) finish();
      });
    }
  }

  #configOf(overrides: ConfigOverrides): ClientConfig {
    return clientConfig({ ...this.#options.config, ...overrides }, this.#options.profile);
  }
}
