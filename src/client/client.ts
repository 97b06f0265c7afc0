// A client of a cluster as applications use it: connect, then produce, consume and administrate, then close.
import type { DurationMs, NodeId } from '../base/units.ts';
import { CONTROLLER_ID } from '../base/units.ts';
import { ConfigError, type TimerProfile } from '../protocol/config.ts';
import type { Runtime } from '../runtime/ports.ts';
import { parseAddress } from './addresses.ts';
import { Admin } from './admin.ts';
import { Calls, type CallOptions } from './calls.ts';
import { Consumer, decompress } from './consumer.ts';
import { ClientCore, type ConfigOverrides } from './core/client.ts';
import type { PositionListener } from './core/fetch-position.ts';
import { HighwaterError } from './errors.ts';
import { GroupConsumer } from './group-consumer.ts';
import { Producer } from './producer.ts';
import { createClientRuntime } from './runtime.ts';

export interface ConnectOptions extends CallOptions {
  /** gRPC addresses ("host:port") of one broker or more; the others are learned from it. */
  readonly brokers: readonly string[];
  /** Told to brokers. */
  readonly clientId?: string;
  /** gRPC address of the controller: needed for creating topics, elections and describeCluster. */
  readonly controller?: string;
  /** The cluster's secret, which the controller asks for. */
  readonly secret?: string;
  /** Timers: "kafka" (default) or "fast", like the cluster's. */
  readonly profile?: TimerProfile;
  /** Settings by Kafka's names, for all producers and consumers of this client. */
  readonly config?: ConfigOverrides;
  /** A Runtime made elsewhere, e.g. with faults. Closing it stays with its maker. */
  readonly runtime?: Runtime;
}

/** Settings by Kafka's names, and who hears of positions that move without reading. */
export interface ConsumerOptions {
  readonly config?: ConfigOverrides;
  readonly onPosition?: PositionListener;
}

/** How long `close` waits for records under way if nothing else is said. */
const CLOSE_MS: DurationMs = 5000;

/** Connects: resolves when a broker has answered. Throws ConfigError for bad options, HighwaterError if nobody answers. */
export async function connect(options: ConnectOptions): Promise<HighwaterClient> {
  const addresses = options.brokers.map(parseAddress);
  if (addresses.length === 0) throw new ConfigError('brokers is empty; give at least one "host:port"');
  const controller = options.controller === undefined ? undefined : parseAddress(options.controller);
  const own = options.runtime === undefined ? createClientRuntime(options.secret ?? '') : undefined;
  const runtime = options.runtime ?? own!.runtime;
  // Until a broker has told the real ids, those given go by ids of their own, as in Kafka's clients.
  const bootstrap: NodeId[] = addresses.map(({ host, port }, index) => {
    runtime.network.setAddress(-1 - index, host, port);
    return -1 - index;
  });
  if (controller !== undefined) runtime.network.setAddress(CONTROLLER_ID, controller.host, controller.port);
  try {
    const { clientId = 'highwater', profile = 'kafka', config = {} } = options;
    const client = new HighwaterClient(new ClientCore({ runtime, bootstrap, clientId, profile, config }), () =>
      own?.close(),
    );
    await client.ready(options);
    return client;
  } catch (error) {
    own?.close();
    throw error;
  }
}

export class HighwaterClient {
  readonly #core: ClientCore;
  readonly #onClosed: () => void;
  readonly #calls = new Calls();
  #closing: Promise<void> | undefined;

  /** @param onClosed Called once everything is closed. */
  constructor(core: ClientCore, onClosed: () => void) {
    this.#core = core;
    this.#onClosed = onClosed;
  }

  /** Waits until a broker has answered. Closes the client if nobody does. */
  async ready(options: CallOptions = {}): Promise<void> {
    const { metadata, config } = this.#core;
    let stop = (): void => undefined;
    const inTime = this.#calls.run<boolean>(
      (resolve) => (stop = metadata.when(() => metadata.brokers.length > 0, config['default.api.timeout.ms'], resolve)),
      options,
      () => stop(),
    );
    try {
      if (await inTime) return;
    } catch (error) {
      await this.close(0);
      throw error;
    }
    const why = metadata.lastFailure ?? 'no broker is registered yet';
    await this.close(0);
    throw new HighwaterError({ code: 'BROKER_NOT_AVAILABLE', message: `cannot connect: ${why}`, definite: true });
  }

  /** Throws ConfigError. */
  producer(config: ConfigOverrides = {}): Producer {
    return new Producer(this.#core.producer(config), this.#calls);
  }

  /** Throws ConfigError. */
  consumer(options: ConsumerOptions = {}): Consumer {
    const { config = {}, onPosition } = options;
    const hooks = onPosition === undefined ? { decompress } : { decompress, onPosition };
    return new Consumer(this.#core.consumer(config, hooks), this.#calls);
  }

  /** A member of a group (`group.id`). Throws ConfigError. */
  groupConsumer(groupId: string, options: ConsumerOptions = {}): GroupConsumer {
    const { config = {}, onPosition } = options;
    const hooks = onPosition === undefined ? { decompress } : { decompress, onPosition };
    return new GroupConsumer(this.#core.groupConsumer({ ...config, 'group.id': groupId }, hooks), this.#calls);
  }

  admin(): Admin {
    return new Admin(this.#core.admin(), this.#calls);
  }

  /** Closes producers, consumers and connections; whatever still waits rejects. Takes little more than `timeoutMs`. */
  close(timeoutMs: DurationMs = CLOSE_MS): Promise<void> {
    this.#closing ??= new Promise<void>((resolve) => {
      this.#core.close(timeoutMs, () => {
        this.#calls.close();
        this.#onClosed();
        resolve();
      });
    });
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
