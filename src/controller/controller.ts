// The controller: the metadata log and everything decided from it (design section 1). It joins the parts: a request is decided
// on what is decided so far and answered when that is committed (repl R-102). The rules are in the files it calls.
import type { MetadataImage } from '../metadata/image.ts';
import { describeBroker, describeFeatures, describeTopic } from '../metadata/describe.ts';
import { clusterRecord } from '../metadata/records.ts';
import type { ResponseOf } from '../protocol/apis.ts';
import type { NodeConfig } from '../protocol/config.ts';
import type { Answer, Handlers, Random, Runtime } from '../runtime/ports.ts';
import { decideAlterPartition } from './alter-partition.ts';
import { decideAlterConfigs } from './alter-configs.ts';
import { decideAlterReassignments, listReassignments } from './alter-reassignments.ts';
import { announce, traceCommitted } from './announce.ts';
import { BrokerProgress } from './broker-progress.ts';
import { decideCreatePartitions } from './create-partitions.ts';
import { describeMetadataLog } from './describe-log.ts';
import type { Draft } from './draft.ts';
import { decideElectLeaders } from './elect-leaders.ts';
import { foundFeatures, settleFeatures } from './features.ts';
import { Fencing } from './fencing.ts';
import { HeardProcesses } from './heard-processes.ts';
import { decideHeartbeat } from './heartbeat.ts';
import {
  CONTROLLER_EPOCH_KEY,
  FORMAT,
  FORMAT_KEY,
  formatProblem,
  MIN_ISR_KEY,
  putNumber,
  readNumber,
} from './log-store.ts';
import { MetadataLog } from './metadata-log.ts';
import { MetadataStreams } from './metadata-streams.ts';
import { decideAllocateProducerIds } from './producer-ids.ts';
import { MIN_ISR } from './min-isr.ts';
import { ProposalOrder } from './proposal-order.ts';
import { decideRegistration } from './registration.ts';
import { electUnclean, rebalanceLeaders } from './scans.ts';
import { Ticker } from './ticker.ts';
import { decideCreateTopics, decideDeleteTopics } from './topics.ts';
import { decideUnregisterBroker } from './unregister.ts';

export interface ControllerOptions {
  readonly config: NodeConfig;
  /** Identity of a new cluster; drawn if absent. An existing cluster keeps its own. */
  readonly clusterId?: string;
}

export class Controller {
  readonly #runtime: Runtime;
  readonly #options: ControllerOptions;
  readonly #log: MetadataLog;
  readonly #streams: MetadataStreams;
  readonly #fencing: Fencing;
  readonly #progress = new BrokerProgress();
  readonly #proposals = new ProposalOrder(() => this.#controllerEpoch);
  readonly #heard: HeardProcesses;
  readonly #ticker: Ticker;
  #random: Random;
  #state: 'loading' | 'deciding' | 'stopped' = 'loading';
  #untilReady: (() => void)[] = [];
  #controllerEpoch = 0;

  constructor(runtime: Runtime, options: ControllerOptions) {
    this.#runtime = runtime;
    this.#options = options;
    this.#log = new MetadataLog(runtime, options.config, {
      committed: (written) => announce(runtime, this.#log.committed, written),
      advanced: () => this.#streams.advanced(),
      failed: (reason) => this.#halt(reason),
    });
    this.#streams = new MetadataStreams(this.#log, () => this.#controllerEpoch);
    this.#fencing = new Fencing(runtime, this.#log, options.config);
    this.#heard = new HeardProcesses((event) => runtime.trace(event));
    this.#ticker = new Ticker(runtime.clock);
    this.#random = runtime.random.fork('controller');
  }

  /** The cluster as committed. */
  get image(): MetadataImage {
    return this.#log.committed;
  }

  /** Rises at every start; carried in answers. 0 before `start` is done. */
  get controllerEpoch(): number {
    return this.#controllerEpoch;
  }

  /**
   * Reads the log back, writes down that a new process decides from now on, and begins. What arrives earlier waits.
   * @param ready Called when it decides.
   */
  start(ready?: () => void): void {
    const { store, random } = this.#runtime;
    const problem = formatProblem(readNumber(store.get(FORMAT_KEY)));
    if (problem !== undefined) return this.#runtime.halt(problem);
    this.#log.load((unannounced) => {
      if (this.#state !== 'loading') return;
      const epoch = (readNumber(store.get(CONTROLLER_EPOCH_KEY)) ?? 0) + 1;
      this.#random = random.fork(`controller ${epoch}`);
      const known = this.#log.slice(unannounced, this.image.endOffset);
      known.forEach((record, i) => traceCommitted(this.#runtime, unannounced + i, record));
      this.#log.writeWith(putNumber(FORMAT_KEY, FORMAT));
      this.#log.writeWith(putNumber(CONTROLLER_EPOCH_KEY, epoch));
      const draft = this.#log.begin();
      if (draft.baseOffset === 0) this.#found(draft);
      const minIsrBefore = readNumber(store.get(MIN_ISR_KEY));
      this.#log.writeWith(putNumber(MIN_ISR_KEY, this.#options.config[MIN_ISR]));
      this.#log.commit(draft, () => this.#begin(epoch, minIsrBefore, ready));
    });
  }

  /** Decides nothing more; `done` when what was decided is written and the streams are ended. */
  stop(done: () => void): void {
    this.#state = 'stopped';
    this.#ticker.stop();
    this.#untilReady = [];
    this.#log.whenIdle(() => {
      this.#streams.endAll();
      this.#runtime.clock.after(0, done);
    });
  }

  /** What the controller serves. */
  handlers(): Handlers {
    return {
      unary: {
        BrokerRegistration: (request, _from, answer) =>
          this.#decide(answer, (draft) => {
            const decided = decideRegistration(draft, request, (broker) => this.#fencing.hasSession(broker));
            // Its session begins here, not with the first heartbeat: else a request of a dead process, late in the network,
            // could take the living one's place for good (docs/divergence.md, repl T-38).
            if (decided.error === 'NONE') {
              this.#fencing.heard(request.brokerId, decided.brokerEpoch);
              this.#heard.registered(request.brokerId);
            }
            return { ...decided, controllerEpoch: this.#controllerEpoch };
          }),
        BrokerHeartbeat: (request, _from, answer) =>
          this.#decide(answer, (draft) => {
            this.#fencing.heard(request.brokerId, request.brokerEpoch);
            const response = decideHeartbeat(draft, this.#progress, request);
            this.#heard.answered(request, response);
            const metadataEndOffset = draft.image.endOffset;
            return { ...response, controllerEpoch: this.#controllerEpoch, metadataEndOffset };
          }),
        AlterPartition: (request, _from, answer) =>
          this.#decide(answer, (draft) => {
            const response = decideAlterPartition(draft, request, () => this.#proposals.admit(request));
            this.#heard.proposed(request, response, draft.image);
            return response;
          }),
        AllocateProducerIds: (request, _from, answer) =>
          this.#decide(answer, (draft) => {
            const response = decideAllocateProducerIds(draft, request);
            this.#heard.answered(request, response);
            return response;
          }),
        CreateTopics: (request, _from, answer) =>
          this.#decide(answer, (draft) => decideCreateTopics(draft, request, () => this.#random.id())),
        DeleteTopics: (request, _from, answer) => this.#decide(answer, (draft) => decideDeleteTopics(draft, request)),
        CreatePartitions: (request, _from, answer) =>
          this.#decide(answer, (draft) => decideCreatePartitions(draft, request)),
        AlterConfigs: (request, _from, answer) => this.#decide(answer, (draft) => decideAlterConfigs(draft, request)),
        ElectLeaders: (request, _from, answer) => this.#decide(answer, (draft) => decideElectLeaders(draft, request)),
        AlterPartitionReassignments: (request, _from, answer) =>
          this.#decide(answer, (draft) => decideAlterReassignments(draft, request)),
        ListPartitionReassignments: (request, _from, answer) =>
          this.#whenReady(() => answer(listReassignments(this.image.topics.values(), request))),
        UnregisterBroker: (request, _from, answer) =>
          this.#decide(answer, (draft) => decideUnregisterBroker(draft, request)),
        DescribeCluster: (_request, _from, answer) => this.#whenReady(() => answer(this.#describe())),
        DescribeMetadataLog: (request, _from, answer) =>
          this.#whenReady(() => answer(describeMetadataLog(this.#log, request))),
      },
      stream: { MetadataLog: (stream) => this.#openStream(stream) },
    };
  }

  /** Decides a request in one step and answers it when all that was decided is committed (repl R-102). */
  #decide<Response>(answer: Answer<Response>, decide: (draft: Draft) => Response): void {
    this.#whenReady(() => {
      const draft = this.#log.begin();
      const response = decide(draft);
      this.#log.commit(draft, () => answer(response));
    });
  }

  #whenReady(run: () => void): void {
    if (this.#state === 'deciding') run();
    else if (this.#state === 'loading') this.#untilReady.push(run);
  }

  #openStream(
    stream: Parameters<NonNullable<Handlers['stream']['MetadataLog']>>[0],
  ): ReturnType<MetadataStreams['open']> {
    const events = this.#streams.open(stream);
    return { ...events, message: (request) => this.#whenReady(() => events.message(request)) };
  }

  /** The first records of a cluster. */
  #found(draft: Draft): void {
    draft.add(clusterRecord(this.#options.clusterId ?? this.#random.id()));
    foundFeatures(draft);
  }

  #settleFeatures(minIsrBefore: number | undefined): void {
    const draft = this.#log.begin();
    const problem = settleFeatures(draft, minIsrBefore);
    if (problem !== undefined) this.#runtime.trace({ type: 'log.line', level: 'warn', message: problem });
    this.#log.commit(draft);
  }

  #begin(epoch: number, minIsrBefore: number | undefined, ready: (() => void) | undefined): void {
    if (this.#state !== 'loading') return;
    this.#state = 'deciding';
    this.#controllerEpoch = epoch;
    this.#runtime.trace({ type: 'controller.started', controllerEpoch: epoch, offset: this.image.endOffset });
    this.#fencing.begin();
    this.#settleFeatures(minIsrBefore);
    this.#startTicking();
    const waiting = this.#untilReady;
    this.#untilReady = [];
    for (const run of waiting) run();
    ready?.();
  }

  #startTicking(): void {
    const { config } = this.#options;
    this.#ticker.every(this.#fencing.lookEveryMs, () => {
      this.#fencing.look();
      return false;
    });
    this.#ticker.every(config['unclean.leader.election.interval.ms'], () => this.#scan(electUnclean));
    if (!config['auto.leader.rebalance.enable']) return;
    const everyMs = config['leader.imbalance.check.interval.seconds'] * 1000;
    this.#ticker.every(everyMs, () => this.#scan(rebalanceLeaders));
  }

  #scan(scan: (draft: Draft) => boolean): boolean {
    const draft = this.#log.begin();
    const moreDue = scan(draft);
    this.#log.commit(draft);
    return moreDue;
  }

  #describe(): ResponseOf<'DescribeCluster'> {
    const { image } = this;
    return {
      clusterId: image.clusterId,
      brokers: [...image.brokers.values()].map(describeBroker),
      topics: [...image.topics.values()].map((topic) => describeTopic(image, topic)),
      metadataOffset: image.endOffset,
      controllerEpoch: this.#controllerEpoch,
      features: describeFeatures(image),
    };
  }

  /** The only log dir failed: nothing more can be promised (repl R-114). */
  #halt(reason: string): void {
    this.#state = 'stopped';
    this.#ticker.stop();
    this.#untilReady = [];
    this.#runtime.halt(`the controller cannot write its metadata log: ${reason}`);
  }
}
