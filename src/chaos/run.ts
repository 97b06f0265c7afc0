// One run of a plan on a cluster: start, workload and faults, healing, agreement, drain, stop. What is decided here is only
// when; what happened stands in the history, and what it means is judge.ts's.
import type { NodeId } from '../base/units.ts';
import { Prng } from '../base/prng.ts';
import type { HistoryEntry, NewEntry } from '../history/operations.ts';
import { HistoryRecorder } from '../history/recorder.ts';
import type { Stamped } from '../trace/events.ts';
import { Actor, inTurn } from './actor.ts';
import { disagreeing, isStable } from './agreement.ts';
import { ClientRuns } from './client-runs.ts';
import { ClusterState } from './cluster-state.ts';
import type { ClusterDriver, Done, DriverEvents, NodeState } from './driver.ts';
import { FaultRun } from './fault-run.ts';
import { Losses } from './losses.ts';
import { drain } from './drain.ts';
import type { Moment } from './moments.ts';
import { observeReplicas, type AskBroker, type FoundReplica } from './observe.ts';
import { isTransactional, observeTransactions } from './observe-transactions.ts';
import { longestOperationMs, longestSeatMs, PATIENCE, Patience } from './patience.ts';
import { recordedIfForeign, type RunPlan } from './plan.ts';
import { isWireEvent, NOTHING_RECORDED, WireHistory } from './recorded/wire-history.ts';
import type { RunOutcome } from './run-outcome.ts';
import { stableEnds } from './standings.ts';
import { Watch } from './watch.ts';

export type { RunOutcome } from './run-outcome.ts';

export interface RunOptions {
  readonly plan: RunPlan;
  readonly driver: ClusterDriver;
  /** Takes each entry of the history at once. */
  readonly history: (entry: HistoryEntry) => void;
  /** Hears each event of each node, e.g. to write them to a file or to show progress. */
  readonly onEvent?: (stamped: Stamped) => void;
  /** Who arms what nodes hold. Default: the plan's name. */
  readonly owner?: string;
}

/** Carries a plan out. `done` is called once, after every process has ended. */
export function runPlan(options: RunOptions, done: (outcome: RunOutcome) => void): void {
  new Run(options, done).begin();
}

class Run {
  readonly #options: RunOptions;
  readonly #done: (outcome: RunOutcome) => void;
  readonly #state: ClusterState;
  readonly #losses: Losses;
  readonly #watch: Watch;
  readonly #actor: Actor;
  readonly #clients: ClientRuns;
  /** What programs of the user's own do, as the brokers record it. */
  readonly #wire: WireHistory;
  readonly #faults: readonly FaultRun[];
  readonly #record: (entry: NewEntry) => void;
  /** Index of the next entry of the history. */
  #nextEntry = 0;
  /** The same when the replicas were looked at last. */
  #observedFrom = 0;
  readonly #doubts: string[] = [];
  readonly #stalled: string[] = [];
  readonly #eventually = new Map<string, boolean>();
  /** Of these, what has not come to hold and still may. */
  readonly #mayCome = new Set<string>();
  readonly #ordered = new Map<string, boolean>();
  #startedAt = 0;
  #phase: 'starting' | 'running' | 'healing' | 'over' = 'starting';
  readonly #patience: Patience;
  /** The newest wall time that a node has told, ms: virtual in the simulator. */
  #wallTime = 0;
  readonly #ask: AskBroker = (node, api, request, done) => this.#options.driver.ask(node, api, request, done);
  #pendingTimer: { cancel(): void } | undefined;
  #pendingIsOver = false;
  /** So many faults were to come when that timer began. */
  #pendingFaults = -1;

  constructor(options: RunOptions, done: (outcome: RunOutcome) => void) {
    const { plan, driver } = options;
    this.#options = options;
    this.#done = done;
    this.#patience = new Patience(driver);
    const random = new Prng(`run ${plan.seed}`);
    const selectors = random.fork('selectors');
    const times = random.fork('times');
    const brokers = Array.from({ length: plan.cluster.brokers }, (_, at) => at + 1);
    this.#state = new ClusterState(brokers, (bound) => selectors.below(bound));
    const now = (): number => Math.round(driver.now() - this.#startedAt);
    const recorder = new HistoryRecorder(now, options.history);
    this.#record = (entry) => (this.#nextEntry = recorder.record(entry).index + 1);
    const record = this.#record;
    this.#losses = new Losses(this.#state.image, record, plan.cluster.config);
    this.#watch = new Watch({
      after: (delayMs, run) => driver.after(delayMs, run),
      next: () => times.next(),
      holds: (condition) => this.#state.holds(condition),
    });
    const watch = this.#watch;
    const struckBy = (fault: string): readonly NodeId[] =>
      this.#faults.find((run) => run.plan.id === fault)?.struck ?? [];
    this.#actor = new Actor({
      ...{ driver, state: this.#state, record, losses: this.#losses, struckBy, safeguardsOff: plan.safeguardsOff },
      clientNode: (client) => this.#clients.node(client),
      restartClient: (client, restarted) => this.#clients.restart(client, restarted),
    });
    const actor = this.#actor;
    this.#clients = new ClientRuns(plan.clients, {
      ...{ driver, watch, record, now, changed: () => this.#patience.changed() },
      longestMs: (spec) => longestOperationMs(spec, plan.cluster.timers),
      seatMs: (spec) => longestSeatMs(spec, plan.cluster.timers),
      delivered: (client, values) => this.#state.delivered(client, values),
    });
    this.#wire = new WireHistory((entry) => this.#clients.recorded(entry));
    this.#faults = plan.faults.map((fault) => {
      const draws = random.fork(`fault ${fault.id}`);
      const owner = options.owner ?? plan.name;
      const processAt = (node: NodeId): string | undefined => this.#clients.processAt(node);
      return new FaultRun(fault, { driver, watch, actor, record, owner, processAt, next: () => draws.next() });
    });
  }

  begin(): void {
    const { driver, plan } = this.#options;
    const { safeguardsOff, topics, seed } = plan;
    const cluster = recordedIfForeign(plan);
    driver.start({ cluster, safeguardsOff, topics, seed }, this.#events(), (refused) => {
      if (refused === undefined) this.#armAll();
      else driver.stop(() => this.#finish(`the cluster did not start: ${refused}`));
    });
  }

  #events(): DriverEvents {
    return {
      event: (stamped) => this.#onEvent(stamped),
      state: (node, state) => this.#onState(node, state),
      client: (id, report) => this.#clients.report(id, report),
      clientExited: (id) => this.#clients.exited(id),
    };
  }

  #onEvent(stamped: Stamped): void {
    this.#options.onEvent?.(stamped);
    const { event, node } = stamped;
    if (isWireEvent(event)) return this.#phase === 'over' ? undefined : this.#wire.take(event, node);
    this.#state.apply(stamped);
    this.#losses.hear(event);
    this.#wallTime = Math.max(this.#wallTime, stamped.time);
    if (event.type === 'fault.fired' && this.#phase === 'running') {
      this.#faults.find(({ plan }) => plan.id === event.fault)?.firedAt(node);
    }
    this.#watch.look();
    this.#patience.changed();
  }

  #onState(node: NodeId, state: NodeState): void {
    this.#actor.stateChanged(node, state);
    for (const fault of this.#faults) fault.stateChanged(node, state);
    this.#patience.changed();
  }

  // ---- workload and faults

  #armAll(): void {
    const steps = this.#faults.map((fault) => (next: Done) => {
      fault.arm((refused) => {
        if (refused !== undefined) this.#doubts.push(`fault ${fault.plan.id} was not armed: ${refused}`);
        next();
      });
    });
    inTurn(steps, () => {
      const { driver, plan } = this.#options;
      this.#phase = 'running';
      this.#startedAt = driver.now();
      for (const fault of this.#faults) fault.watch();
      this.#watchOrder();
      this.#clients.start(() =>
        this.#patience.await(
          plan.timeoutMs,
          () => this.#isOver(),
          () => this.#heal(),
        ),
      );
    });
  }

  #watchOrder(): void {
    for (const expectation of this.#options.plan.expectations) {
      if (expectation.kind !== 'order') continue;
      const { moment } = expectation;
      this.#ordered.set(moment.text, false);
      this.#watch.when(moment, () => this.#ordered.set(moment.text, true));
    }
  }

  /**
   * All producers are done, and nothing is still to come; or what is to come has had its time, which begins again when one
   * of the faults to come has fired: the next may have waited for it.
   */
  #isOver(): boolean {
    if (!this.#clients.producersDone) return false;
    const faults = this.#faults.filter((fault) => fault.pending && !fault.plan.optional).length;
    if (!(this.#clients.pending || faults > 0) || this.#pendingIsOver) return true;
    if (faults === this.#pendingFaults) return false;
    this.#pendingFaults = faults;
    this.#pendingTimer?.cancel();
    this.#pendingTimer = this.#options.driver.after(PATIENCE.pendingMs, () => {
      this.#pendingIsOver = true;
      this.#patience.changed();
    });
    return false;
  }

  // ---- the end

  #heal(): void {
    const { driver } = this.#options;
    this.#phase = 'healing';
    this.#pendingTimer?.cancel();
    driver.faults((statuses) => {
      for (const fault of this.#faults) {
        fault.nearMisses = statuses.find((status) => status.fault?.id === fault.plan.id)?.nearMisses ?? [];
      }
      inTurn(
        this.#faults.map((fault) => (next: Done) => fault.end(next)),
        () => driver.disarm('*', () => this.#actor.heal(() => this.#afterHealing())),
      );
    });
  }

  #afterHealing(): void {
    this.#clients.heal();
    this.#watchEventually();
    this.#awaitProducers(PATIENCE.producersRounds, () => this.#drain('copy', () => this.#settle()));
  }

  /** Until all are done, or none has said anything for so long that nothing will come, or there were enough rounds. */
  #awaitProducers(rounds: number, then: () => void): void {
    const clients = this.#clients;
    const done = (): boolean => clients.producersDone;
    this.#patience.await(PATIENCE.producersMs, done, (inTime) => {
      if (!inTime && rounds > 1 && clients.silentMs < PATIENCE.producersMs)
        return this.#awaitProducers(rounds - 1, then);
      if (!inTime) this.#stalled.push('a producer was not done after everything had healed, and was stopped');
      clients.stop('finite');
      this.#patience.await(PATIENCE.stopMs, done, then);
    });
  }

  #watchEventually(): void {
    for (const expectation of this.#options.plan.expectations) {
      if (expectation.kind !== 'eventually') continue;
      const { condition, text, withinMs } = expectation;
      this.#eventually.set(text, false);
      const moment: Moment = { text, parts: [{ kind: 'condition', condition }] };
      this.#mayCome.add(text);
      const timer = this.#options.driver.after(withinMs, () => this.#mayCome.delete(text));
      this.#watch.when(moment, () => {
        if (this.#mayCome.delete(text)) this.#eventually.set(text, true);
        timer.cancel();
      });
    }
  }

  /**
   * Waits until all replicas agree, no transaction holds anything back or is to be completed, and what is expected to hold
   * does or had its time; then lets readers read to the end.
   */
  #settle(): void {
    const { driver, plan } = this.#options;
    const until = driver.now() + PATIENCE.agreementMs;
    const topics = this.#actor.remaining(plan.topics);
    const names = topics.map(({ name }) => name);
    const look = (): void => {
      this.#observedFrom = this.#nextEntry;
      observeReplicas(this.#state.brokers, names, this.#ask, (found) => {
        const missing = disagreeing(topics, found, (of) => this.#state.partition(of));
        const agreed = missing.length === 0 && this.#state.allUnfenced && isStable(found);
        const over = (agreed && !this.#state.isCompleting) || driver.now() >= until;
        if (over && this.#mayCome.size === 0) this.#drain('read', () => this.#observe(found, missing), found);
        else driver.after(PATIENCE.lookMs, look);
      });
    };
    look();
  }

  /** What coordinators say is asked last: readers may have committed offsets. */
  #observe(found: readonly FoundReplica[], missing: readonly string[]): void {
    const { plan } = this.#options;
    if (!isTransactional(plan)) return this.#conclude(found, missing);
    const { driver } = this.#options;
    const until = driver.now() + PATIENCE.answersMs;
    const again = (run: () => void): boolean => {
      if (driver.now() >= until) return false;
      driver.after(PATIENCE.lookMs, run);
      return true;
    };
    const { groups: recordedGroups } = this.#clients.foreign;
    const observer = { state: this.#state, ask: this.#ask, recordedGroups, now: () => this.#wallTime, again };
    const topics = this.#actor.remaining(plan.topics);
    observeTransactions({ ...plan, topics }, found, observer, (entries) => {
      for (const entry of entries) this.#record(entry);
      this.#conclude(found, missing);
    });
  }

  /** Lets every client of an endless kind read to the end, and stops it. First, what the dead were to read becomes theirs. */
  #drain(purpose: 'copy' | 'read', then: () => void, found: readonly FoundReplica[] = []): void {
    const { driver, plan } = this.#options;
    const asked = { isOver: () => this.#phase === 'over', mayCome: () => this.#mayCome.size > 0 };
    const parts = { driver, plan, clients: this.#clients, watch: this.#watch, patience: this.#patience, ...asked };
    driver.after(this.#clients.seatsHeldMs, () => {
      drain(purpose, { ...parts, ends: stableEnds(found) }, (unread) => {
        if (unread.length > 0) this.#stalled.push(`not read to the end: ${unread.join(', ')}`);
        then();
      });
    });
  }

  #conclude(found: readonly FoundReplica[], missing: readonly string[]): void {
    this.#doubts.push(...this.#wire.finish());
    if (this.#clients.foreign.any && this.#wire.isEmpty) this.#doubts.push(NOTHING_RECORDED);
    for (const { lastStableOffset: _, ...replica } of found) {
      this.#record({ f: 'replica', type: 'info', process: 'observer', ...replica });
    }
    const type = missing.length === 0 ? 'ok' : 'info';
    const { awaited, drained } = this.#clients;
    const observedFrom = this.#observedFrom;
    this.#record({ f: 'quiesce', type, process: 'observer', missing, observedFrom, awaited, ...drained });
    this.#phase = 'over';
    this.#options.driver.stop(() => this.#finish());
  }

  #finish(failure?: string): void {
    const { driver } = this.#options;
    const silent = this.#faults.filter((fault) => fault.firings === 0 && !fault.plan.optional);
    this.#done({
      fired: Object.fromEntries(this.#faults.map((fault) => [fault.plan.id, fault.firings])),
      unfired: silent.map((fault) => ({ fault: fault.plan.id, nearMisses: fault.whyNot() })),
      eventually: Object.fromEntries(this.#eventually),
      ordered: Object.fromEntries(this.#ordered),
      doubts: [...this.#doubts, ...this.#stalled, ...this.#clients.refusals],
      stalled: this.#stalled,
      exits: this.#clients.foreign.exits,
      ...(failure === undefined ? {} : { failure }),
      durationMs: Math.round(driver.now() - this.#startedAt),
    });
  }
}
