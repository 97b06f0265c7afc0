// The workload clients of a run: started at their moments, told to go on behind their waits, paused and resumed. What they
// say goes into the history and to the watch.
import type { DurationMs, NodeId, Offset } from '../base/units.ts';
import type { NewEntry, QuiesceOp } from '../history/operations.ts';
import type { ClientCommand, ClientReport, ClientSpec, OwnSpec } from '../workload/spec.ts';
import { inTurn } from './actor.ts';
import type { ClusterDriver, Done } from './driver.ts';
import { ForeignPrograms } from './foreign-programs.ts';
import type { ClientPlan } from './plan.ts';
import { clientOf, processName } from './process-names.ts';
import { Standings } from './standings.ts';
import type { Watch } from './watch.ts';

/** `finite`: has steps and is done. `copy`: reads and writes until told to stop. `read`: reads until told to stop. */
export type Purpose = 'finite' | 'copy' | 'read';
const PURPOSE: Readonly<Record<OwnSpec['kind'], Purpose>> = {
  produce: 'finite',
  transactional: 'finite',
  copy: 'copy',
  consume: 'read',
  group: 'read',
};

/** A program of the user's own that does not end by itself may read and write: it is let go on as copies are. */
function purposeOf(spec: ClientSpec): Purpose {
  if (spec.kind === 'external') return spec.forever ? 'copy' : 'finite';
  return PURPOSE[spec.kind];
}

type ClientState = 'waiting' | 'running' | 'done' | 'gone';

export interface ClientParts {
  readonly driver: ClusterDriver;
  readonly watch: Watch;
  readonly record: (entry: NewEntry) => void;
  /** A consumer was given records with these values. */
  readonly delivered: (client: string, values: readonly string[]) => void;
  /** Longest time that an operation of a client may take, ms. */
  readonly longestMs: (spec: ClientSpec) => DurationMs;
  /** How long its group holds a dead client to be a member, ms; 0 of one that is none. */
  readonly seatMs: (spec: ClientSpec) => DurationMs;
  /** Time since the run began, ms. */
  readonly now: () => number;
  /** Something changed that the run may wait for. */
  readonly changed: () => void;
}

export class ClientRuns {
  readonly #plans: ReadonlyMap<string, ClientPlan>;
  readonly #parts: ClientParts;
  readonly #states = new Map<string, ClientState>();
  /** How often each was started; each start is a process of its own in the history. */
  readonly #starts = new Map<string, number>();
  /** When each process was heard of last, or was free to go on, on the driver's clock. */
  readonly #heardAt = new Map<string, number>();
  /** Processes with steps that were told to end while they may have been under way. */
  readonly #cutShort = new Set<string>();
  /** Until when groups hold dead clients to be members, on the driver's clock. */
  #seatsUntil = 0;
  /** Pauses that have not ended. */
  readonly #pauses = new Set<string>();
  /** The run heals: no client is paused or held at a wait any more. */
  #healing = false;
  readonly #standings = new Standings();
  #drained: Pick<QuiesceOp, 'drained' | 'drainedAt'> = {};
  readonly refusals: string[] = [];
  /** Programs of the user's own. */
  readonly foreign: ForeignPrograms;

  constructor(plans: readonly ClientPlan[], parts: ClientParts) {
    this.#plans = new Map(plans.map((plan) => [plan.spec.id, plan]));
    this.#parts = parts;
    this.foreign = new ForeignPrograms(plans, () => parts.driver.now());
    for (const plan of plans) {
      this.#states.set(plan.spec.id, 'waiting');
      if (plan.pause !== undefined) this.#pauses.add(plan.spec.id);
    }
  }

  /** Starts those that begin with the run; the others wait for their moment. */
  start(done: () => void): void {
    const atOnce = [...this.#plans.values()].filter((plan) => plan.start === undefined);
    inTurn(
      atOnce.map((plan) => (next: Done) => this.#start(plan, next)),
      done,
    );
    for (const plan of this.#plans.values()) {
      if (plan.start !== undefined) this.#parts.watch.when(plan.start, () => this.#startLate(plan));
      if (plan.pause !== undefined) this.#watchPause(plan.spec.id, plan.pause);
    }
  }

  /** Whether every client that has steps is done or gone. */
  get producersDone(): boolean {
    return this.#all('finite', (state) => state === 'done' || state === 'gone');
  }

  /** Whether something is still to begin or to end by itself: late starts and pauses. */
  get pending(): boolean {
    return [...this.#states.values()].includes('waiting') || this.#pauses.size > 0;
  }

  /** Clients of an endless kind that run. */
  running(kind: 'copy' | 'read'): readonly string[] {
    return this.#ids(kind).filter((id) => this.#states.get(id) === 'running');
  }

  /** Whether a client of ours has not been given yet what stands below these ends. */
  isBehind(id: string, ends: ReadonlyMap<string, Offset>): boolean {
    return !this.foreign.has(id) && this.#standings.isBehind(this.#processOf(id), ends);
  }

  /** Processes that read until they were told to end, and when that was; nothing before it. */
  get drained(): Pick<QuiesceOp, 'drained' | 'drainedAt'> {
    return this.#drained;
  }

  /** Whether no client runs any more. */
  get allStopped(): boolean {
    return ![...this.#states.values()].includes('running');
  }

  /** Ends pauses, and lets no new one begin. Clients that have not started do not start any more. */
  heal(): void {
    this.#healing = true;
    for (const process of this.#heardAt.keys()) {
      this.#heardAt.set(process, this.#parts.driver.now());
      this.foreign.freed(clientOf(process));
    }
    for (const id of [...this.#ids('copy'), ...this.#ids('read')]) {
      this.#tell(id, { kind: 'resume' });
    }
    this.#pauses.clear();
  }

  /** How long it takes until no dead client has partitions of its group any more, ms. */
  get seatsHeldMs(): number {
    return Math.max(0, this.#seatsUntil - this.#parts.driver.now());
  }

  /** How long the least silent client with steps that still runs has said nothing, ms. */
  get silentMs(): number {
    const running = this.#ids('finite').filter((id) => this.#states.get(id) === 'running');
    return Math.min(...running.map((id) => this.#silentMsOf(this.#processOf(id))));
  }

  /**
   * Processes that had all the time they may take since the healing: those that came to their end, and those that had been
   * silent for longer than any operation of them lasts when they were told to end.
   */
  get awaited(): readonly string[] {
    return [...this.#heardAt.keys()].filter((process) => !this.#cutShort.has(process) && !this.#isUnderWay(process));
  }

  #isUnderWay(process: string): boolean {
    const id = clientOf(process);
    if (process !== this.#processOf(id) || this.#states.get(id) !== 'running') return false;
    return this.#silentMsOf(process) < this.#parts.longestMs(this.#plans.get(id)!.spec);
  }

  #silentMsOf(process: string): number {
    return this.#parts.driver.now() - (this.#heardAt.get(process) ?? 0);
  }

  /** Tells all clients of a kind to end. */
  stop(kind: Purpose): void {
    if (kind === 'read') {
      const drained = this.running(kind).map((id) => this.#processOf(id));
      this.#drained = { drained, drainedAt: this.#parts.now() };
    }
    for (const id of this.#ids(kind)) {
      if (this.#states.get(id) !== 'running') continue;
      const process = this.#processOf(id);
      if (kind === 'finite' && this.#isUnderWay(process)) this.#cutShort.add(process);
      this.#tell(id, { kind: 'stop' });
    }
  }

  /** The process that runs, or ran, on a node. */
  processAt(node: NodeId): string | undefined {
    return [...this.#heardAt.keys()].find((process) => this.#parts.driver.clientNode(process) === node);
  }

  /** The node of the process in which a client runs, or ran last. */
  node(id: string): NodeId | undefined {
    return this.#parts.driver.clientNode(this.#processOf(id));
  }

  /** Starts a client that is gone once more: a new process that knows nothing of the one before. */
  restart(id: string, done: Done): void {
    const plan = this.#plans.get(id);
    if (plan === undefined || this.#healing) done('nothing is started any more');
    else this.#start(plan, done);
  }

  /** A client says something. */
  report(process: string, report: ClientReport): void {
    const { watch, record, changed, driver } = this.#parts;
    const id = clientOf(process);
    this.#heardAt.set(process, driver.now());
    switch (report.kind) {
      case 'entry': {
        const { entry } = report;
        record(entry);
        this.#standings.take(entry);
        this.#watchEntry(id, entry);
        break;
      }
      case 'waiting': {
        const moment = this.#plans.get(id)?.waits.get(report.step);
        const go = (): void => driver.tellClient(process, { kind: 'go', step: report.step });
        if (moment === undefined) go();
        else watch.when(moment, go);
        break;
      }
      case 'polled-empty':
        watch.polledEmpty(id);
        break;
      case 'exited':
        this.foreign.exited(id, report.code);
        break;
      case 'done':
        this.#states.set(id, 'done');
        watch.clientDone(id);
        break;
    }
    changed();
  }

  /** Something was seen on the wire: of a client of the run, if its client id is one's name. */
  recorded(seen: NewEntry): void {
    const { record, driver } = this.#parts;
    const id = clientOf(seen.process);
    const entry = this.foreign.recorded(id, seen);
    record(entry);
    if (!this.#plans.has(id)) return;
    this.#heardAt.set(this.#processOf(id), driver.now());
    this.#watchEntry(id, entry);
  }

  /** A client's process is gone. */
  exited(process: string): void {
    const id = clientOf(process);
    if (process !== this.#processOf(id)) return;
    if (this.#states.get(id) !== 'done') {
      this.#states.set(id, 'gone');
      const until = this.#parts.driver.now() + this.#parts.seatMs(this.#plans.get(id)!.spec);
      this.#seatsUntil = Math.max(this.#seatsUntil, until);
    }
    this.#parts.changed();
  }

  #watchEntry(id: string, entry: NewEntry): void {
    const { watch, delivered } = this.#parts;
    switch (entry.f) {
      case 'send':
        if (entry.type !== 'invoke') watch.sent(id, entry.value, entry.type);
        return;
      case 'init':
      case 'begin':
      case 'send-offsets':
      case 'commit':
      case 'abort':
      case 'commit-offsets':
        if (entry.type !== 'invoke') watch.stepped(id, entry.f, entry.type);
        return;
      case 'poll':
        if (entry.records === undefined || entry.records.length === 0) return;
        delivered(
          id,
          entry.records.map(({ value }) => value),
        );
        watch.look();
        return;
      default:
    }
  }

  #start(plan: ClientPlan, done: Done): void {
    const { id } = plan.spec;
    this.#states.set(id, 'running');
    this.#starts.set(id, (this.#starts.get(id) ?? 0) + 1);
    const process = this.#processOf(id);
    this.#heardAt.set(process, this.#parts.driver.now());
    this.#parts.driver.startClient({ ...plan.spec, id: process }, (refused) => {
      if (refused !== undefined) {
        this.#states.set(id, 'gone');
        this.refusals.push(`client ${id} did not start: ${refused}`);
      }
      done(refused);
    });
  }

  #startLate(plan: ClientPlan): void {
    if (this.#healing) return;
    this.#start(plan, () => this.#parts.changed());
  }

  #watchPause(id: string, pause: NonNullable<ClientPlan['pause']>): void {
    const { watch, changed } = this.#parts;
    watch.when(pause.from, () => {
      if (this.#healing) return;
      this.#tell(id, { kind: 'pause' });
      watch.when(pause.until, () => {
        this.#pauses.delete(id);
        this.#tell(id, { kind: 'resume' });
        changed();
      });
    });
  }

  #tell(id: string, command: ClientCommand): void {
    this.#parts.driver.tellClient(this.#processOf(id), command);
  }

  /** What a client's newest process is called. */
  #processOf(id: string): string {
    return processName(id, this.#starts.get(id) ?? 1);
  }

  #ids(purpose: Purpose): string[] {
    return [...this.#plans.values()].filter(({ spec }) => purposeOf(spec) === purpose).map(({ spec }) => spec.id);
  }

  #all(purpose: Purpose, is: (state: ClientState) => boolean): boolean {
    return this.#ids(purpose).every((id) => is(this.#states.get(id)!));
  }
}
