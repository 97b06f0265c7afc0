// One broker: its parts put together, and its life from STARTING to its last write (repl ). Decides only which
// part is alive when.
import { CONTROLLER_ID, NO_EPOCH } from '../base/units.ts';
import type { BrokerEpoch, NodeId, Offset } from '../base/units.ts';
import { createLogManager } from '../log/log-manager.ts';
import type { Found, LogManager } from '../log/manager-api.ts';
import { MetadataImage } from '../metadata/image.ts';
import type { NodeConfig } from '../protocol/config.ts';
import type { Endpoint, MetadataRecord } from '../protocol/generated/index.ts';
import { GRPC_ENDPOINT } from '../protocol/listeners.ts';
import type { Handlers, Runtime } from '../runtime/ports.ts';
import type { BrokerState } from '../trace/events.ts';
import { AlterPartitions } from './alter-partition.ts';
import { GatedAdmin } from './admin-api.ts';
import type { BrokerApi } from './api.ts';
import { AutoTopics } from './auto-topics.ts';
import { brokerHandlers, GatedApi } from './broker-api.ts';
import { Checkpoints } from './checkpoints.ts';
import type { Repeated } from '../runtime/repeated.ts';
import { Cleaning } from './cleaning.ts';
import type { NodeContext, Wakes } from './context.ts';
import { Coordination } from './coordination.ts';
import { ControllerEpochs } from './controller-epochs.ts';
import { RecordDeletions } from './delete-records.ts';
import { Fetchers } from './fetchers.ts';
import { Fetches } from './fetches.ts';
import { Forwarding } from './forwarding.ts';
import { FollowerStreams } from './follower-streams.ts';
import { Gate } from './gate.ts';
import { Heartbeats } from './heartbeats.ts';
import { LagChecks } from './lag-checks.ts';
import { MetadataFollower } from './metadata-follower.ts';
import { Produces } from './produce.ts';
import { producerExpiry } from './producer-expiry.ts';
import { Registration } from './registration.ts';
import type { Registered } from './registration.ts';
import { Replicas } from './replicas.ts';
import { Retention } from './retention.ts';
import { TopicConfigs } from './topic-configs.ts';

export interface BrokerOptions {
  readonly id: NodeId;
  readonly config: NodeConfig;
  /** Where clients and peers reach this broker. */
  readonly endpoints: readonly Endpoint[];
  /** Emulated power loss at this start (design section 4). */
  readonly truncateTail?: number;
  /** The data directory was emptied on purpose before this start. */
  readonly wiped?: boolean;
  readonly controllerId?: NodeId;
}

export class Broker {
  /** The broker's side of its coordinators; the host attaches them before it starts. */
  readonly coordination: Coordination;
  readonly #api: GatedApi;
  readonly #runtime: Runtime;
  readonly #options: BrokerOptions;
  readonly #controller: NodeId;
  readonly #controllers = new ControllerEpochs();
  readonly #image = new MetadataImage();
  readonly #gate = new Gate();
  readonly #topicConfigs: TopicConfigs;
  readonly #logs: LogManager;
  readonly #replicas: Replicas;
  readonly #fetches: Fetches;
  readonly #produces: Produces;
  readonly #deletions: RecordDeletions;
  readonly #fetchers: Fetchers;
  readonly #followers: FollowerStreams;
  readonly #proposals: AlterPartitions;
  readonly #metadata: MetadataFollower;
  readonly #checkpoints: Checkpoints;
  readonly #lagChecks: LagChecks;
  readonly #producerExpiry: Repeated;
  readonly #cleaning: Cleaning;
  readonly #retention: Retention;
  #found: Found | undefined;
  #registration: Registration | undefined;
  #heartbeats: Heartbeats | undefined;
  #state: BrokerState = 'STARTING';
  #brokerEpoch: BrokerEpoch = NO_EPOCH;
  #clusterId = '';
  #stopped: (() => void) | undefined;

  constructor(runtime: Runtime, options: BrokerOptions) {
    const { config, id, truncateTail = 0, wiped = false } = options;
    this.#runtime = runtime;
    this.#options = options;
    this.#controller = options.controllerId ?? CONTROLLER_ID;
    this.#logs = createLogManager(runtime, { config, nodeId: id, truncateTail, wiped });
    this.#topicConfigs = new TopicConfigs(config, this.#image);
    const brokerEpoch = (): BrokerEpoch => this.#brokerEpoch;
    const controller = { controller: this.#controller, controllers: this.#controllers };
    this.#proposals = new AlterPartitions({ runtime, config, me: id, ...controller, brokerEpoch });
    const context = this.#makeContext(brokerEpoch);
    this.#fetchers = new Fetchers(context);
    this.#replicas = new Replicas(context, this.#logs);
    this.#fetches = new Fetches(context, this.#replicas);
    this.#deletions = new RecordDeletions(context, this.#replicas);
    this.coordination = new Coordination({
      ...{ context, replicas: this.#replicas, controller: this.#controller },
      inTouch: () => this.#heartbeats?.inTouch === true,
    });
    this.#produces = new Produces(context, this.#replicas, this.coordination.verifications);
    this.#checkpoints = new Checkpoints(context, this.#replicas, this.#logs);
    this.#lagChecks = new LagChecks(context, this.#replicas);
    this.#producerExpiry = producerExpiry(context, this.#replicas);
    this.#cleaning = new Cleaning(context, this.#replicas);
    this.#retention = new Retention(context, this.#replicas);
    this.#metadata = this.#makeMetadata();
    const served = { context, replicas: this.#replicas, fetches: this.#fetches, gate: this.#gate };
    this.#followers = new FollowerStreams(served);
    const autoTopics = new AutoTopics(runtime, config, this.#controller);
    const { coordination } = this;
    const forwarding = new Forwarding(runtime, this.#controller);
    const admin = new GatedAdmin({ ...served, deletions: this.#deletions, forwarding });
    this.#api = new GatedApi({ ...served, admin, produces: this.#produces, autoTopics, coordination });
  }

  get api(): BrokerApi {
    return this.#api;
  }

  get state(): BrokerState {
    return this.#state;
  }
  /** -1 before it is registered. */
  get brokerEpoch(): BrokerEpoch {
    return this.#brokerEpoch;
  }
  /** Metadata log offset that is in force here in full, exclusive. */
  get metadataOffset(): Offset {
    return this.#metadata.appliedOffset;
  }
  /** Empty before it is known. */
  get clusterId(): string {
    return this.#clusterId;
  }
  get image(): MetadataImage {
    return this.#image;
  }

  /** What this broker serves on the network. The host serves it. */
  handlers(): Handlers {
    return brokerHandlers(this.#api, this.#followers);
  }

  /** Opens the data directory, then joins the cluster (repl R-89). */
  start(): void {
    this.#become('STARTING');
    this.#logs.start((found) => {
      this.#found = found;
      this.#clusterId = found.clusterId ?? '';
      if (this.#stopped === undefined) this.#register(found);
      else this.#finish();
    });
  }

  /**
   * Controlled shutdown (repl R-94): leaders are moved away first, if the controller answers in time; then nothing is
   * served any more, and the logs are closed cleanly. `done` may come at once if there was nothing to stop.
   */
  shutDown(done: () => void): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = done;
    this.#registration?.stop();
    if (this.#found === undefined) return; // Its answer goes on from here.
    const heartbeats = this.#heartbeats;
    if (heartbeats === undefined || !this.#options.config['controlled.shutdown.enable']) return this.#finish();
    this.#become('PENDING_CONTROLLED_SHUTDOWN');
    heartbeats.shutDown();
    this.#runtime.clock.after(this.#options.config['request.timeout.ms'], () => this.#finish());
  }

  #makeContext(brokerEpoch: () => BrokerEpoch): NodeContext {
    const { config, id } = this.#options;
    const wakes: Wakes = {
      logEndMoved: (replica) => this.#fetches.logEndMoved(replica),
      highWatermarkMoved: (replica) => {
        this.#produces.highWatermarkMoved(replica);
        this.coordination.highWatermarkMoved(replica);
        this.#fetches.highWatermarkMoved(replica);
      },
      followerLogStartMoved: (replica) => this.#deletions.moved(replica),
      roleChanged: (replica) => {
        this.#deletions.moved(replica);
        this.#produces.roleChanged(replica);
        this.coordination.roleChanged(replica);
        this.#fetches.roleChanged(replica);
      },
    };
    const isStopping = (): boolean => this.#stopped !== undefined;
    return {
      ...{ runtime: this.#runtime, config, me: id, image: this.#image, proposals: this.#proposals, wakes, brokerEpoch },
      fetching: {
        start: (replica, at) => this.#fetchers.start(replica, at),
        stop: (replica) => this.#fetchers.stop(replica),
      },
      topicConfig: (topicId) => this.#topicConfigs.of(topicId),
      get inControlledShutdown() {
        return isStopping();
      },
    };
  }

  #makeMetadata(): MetadataFollower {
    return new MetadataFollower({
      ...{ runtime: this.#runtime, config: this.#options.config, me: this.#options.id },
      ...{ controller: this.#controller, controllers: this.#controllers, image: this.#image },
      apply: (delta, done) => {
        this.#learnAddresses();
        this.#replicas.apply(delta, () => {
          for (const topicId of delta.removedTopics) this.#topicConfigs.forget(topicId);
          this.coordination.metadataApplied(delta);
          this.#deletions.metadataApplied();
          done();
        });
      },
      applied: () => this.#onMetadataApplied(),
      supersedes: (record) => this.#supersedes(record),
    });
  }

  #register(found: Found): void {
    const { id, endpoints, config } = this.#options;
    const request = {
      ...{
        brokerId: id,
        clusterId: found.clusterId ?? '',
        incarnationId: this.#runtime.random.fork('incarnation').id(),
      },
      ...{ endpoints: [...endpoints], previousBrokerEpoch: found.previousBrokerEpoch, rack: config['broker.rack'] },
    };
    const options = { runtime: this.#runtime, config, controller: this.#controller, controllers: this.#controllers };
    this.#registration = new Registration({ ...options, request }, (registered) => this.#onRegistered(registered));
  }

  #onRegistered({ brokerEpoch, clusterId }: Registered): void {
    this.#brokerEpoch = brokerEpoch;
    this.#clusterId = clusterId;
    this.#become('STARTING');
    if (this.#found?.clusterId === undefined) this.#logs.setClusterId(clusterId, () => undefined);
    const { id, config } = this.#options;
    this.#heartbeats = new Heartbeats({
      ...{ runtime: this.#runtime, config, me: id, controller: this.#controller, controllers: this.#controllers },
      brokerEpoch,
      metadata: () => ({ offset: this.#metadata.appliedOffset, hasImage: this.#metadata.hasImage }),
      caughtUp: () => this.#become('RECOVERY'),
      unfenced: () => {
        this.#become('RUNNING');
        this.coordination.start();
        this.#gate.open();
      },
      mayShutDown: () => this.#finish(),
    });
    this.#metadata.start();
  }

  #onMetadataApplied(): void {
    const offset = this.#metadata.appliedOffset;
    const first = !this.#lagChecks.started;
    this.#runtime.trace({ type: 'metadata.applied', offset, brokerEpoch: this.#brokerEpoch });
    this.#fetchers.deltaApplied();
    if (!first || this.#state === 'SHUTTING_DOWN') return;
    this.#replicas.setStraysAside();
    this.#lagChecks.start();
    this.#producerExpiry.start();
    this.#cleaning.start();
    this.#retention.start();
    this.#checkpoints.start();
    this.#heartbeats?.hurry();
  }

  /** The process that registered this broker's id after us is our successor: its epochs are not ours. */
  #supersedes({ registerBroker }: MetadataRecord): boolean {
    return registerBroker?.brokerId === this.#options.id && registerBroker.brokerEpoch > this.#brokerEpoch;
  }

  #learnAddresses(): void {
    for (const broker of this.#image.brokers.values()) {
      const endpoint = broker.endpoints.find(({ name }) => name === GRPC_ENDPOINT);
      if (endpoint !== undefined) this.#runtime.network.setAddress(broker.id, endpoint.host, endpoint.port);
    }
  }

  /** Repl: stops serving, writes the high watermarks down, flushes, and says that it did. */
  #finish(): void {
    if (this.#state === 'SHUTTING_DOWN') return;
    this.#become('SHUTTING_DOWN');
    this.#gate.close();
    this.#heartbeats?.stop();
    this.#metadata.stop();
    this.#proposals.close();
    this.#lagChecks.stop();
    this.#producerExpiry.stop();
    this.#cleaning.stop();
    this.#retention.stop();
    this.#checkpoints.stop();
    this.#fetchers.close();
    this.#replicas.close();
    this.coordination.stop();
    this.#produces.endAll();
    this.#deletions.endAll();
    this.#fetches.endAll();
    this.#closeLogs(() => this.#stopped?.());
  }

  /** The marker is written only if the directory was clean at the start, or all its logs were recovered since. */
  #closeLogs(done: () => void): void {
    const found = this.#found;
    if (!this.#metadata.hasImage && found?.clean !== true) return done();
    const epoch = this.#brokerEpoch === NO_EPOCH ? (found?.previousBrokerEpoch ?? NO_EPOCH) : this.#brokerEpoch;
    const close = (): void => this.#logs.closeCleanly(epoch, done);
    if (this.#metadata.hasImage) this.#checkpoints.writeHighWatermarks(close);
    else close();
  }

  #become(state: BrokerState): void {
    this.#state = state;
    this.#runtime.trace({ type: 'broker.state', state, brokerEpoch: this.#brokerEpoch });
  }
}
