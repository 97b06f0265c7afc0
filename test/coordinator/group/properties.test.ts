// Random members against one group (wire section 9): whatever they do and whenever the coordinator changes, the group keeps
// its rules, everybody is answered, and a new coordinator finds the last generation that was assigned.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ResponseOf } from '../../../src/protocol/apis.ts';
import { Stage, protocols } from './support/stage.ts';
import type { Call } from './support/stage.ts';

type Action =
  | { readonly kind: 'join' | 'change' | 'sync' | 'beat' | 'leave' | 'silent'; readonly who: number }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'round' | 'freeze' | 'thaw' | 'refuse' | 'fail-over' };

/** One client: joins, and syncs what it was answered, as consumers do. */
class Client {
  readonly #stage: Stage;
  readonly #groupInstanceId: string;
  readonly #assigned: Map<string, string>;
  memberId = '';
  generationId = -1;
  leads = false;
  #said = 0;
  #others: readonly string[] = [];
  readonly joins: Call<ResponseOf<'JoinGroup'>>[] = [];
  readonly syncs: Call<ResponseOf<'SyncGroup'>>[] = [];

  constructor(stage: Stage, groupInstanceId: string, assigned: Map<string, string>) {
    this.#stage = stage;
    this.#groupInstanceId = groupInstanceId;
    this.#assigned = assigned;
  }

  join(changed: boolean): void {
    if (changed) this.#said++;
    const metadata = Buffer.from(`said ${this.#said}`);
    const request = { memberId: this.memberId, groupInstanceId: this.#groupInstanceId, rebalanceTimeoutMs: 7000 };
    const names = protocols('range', 'sticky').map(({ name }) => ({ name, metadata }));
    this.joins.push(this.#stage.join({ ...request, sessionTimeoutMs: 6000, protocols: names }));
  }

  sync(): void {
    if (this.memberId === '') return;
    const assignments = this.#others.map((memberId) => ({
      memberId,
      assignment: Buffer.from(`${memberId} in ${this.generationId} #${this.syncs.length}`),
    }));
    const { memberId, generationId } = this;
    const request = { memberId, generationId, groupInstanceId: this.#groupInstanceId };
    this.syncs.push(this.#stage.sync({ ...request, assignments: this.leads ? assignments : [] }));
  }

  beat(): void {
    const { memberId, generationId } = this;
    this.#stage.heartbeat({ memberId, generationId, groupInstanceId: this.#groupInstanceId });
  }

  leave(): void {
    if (this.memberId !== '') this.#stage.leave(this.memberId);
  }

  /** Takes in what was answered. */
  learn(): void {
    for (let next = this.joins[0]; next?.response !== undefined; next = this.joins[0]) {
      this.joins.shift();
      this.#learnJoin(next.response);
    }
    for (const { response } of this.syncs) {
      if (response?.error !== 'NONE' || response.assignment.length === 0) continue;
      const assignment = response.assignment.toString();
      // Nobody has two assignments in one generation.
      const [whoAndWhen] = assignment.split(' #');
      expect(this.#assigned.get(whoAndWhen!) ?? assignment).toBe(assignment);
      this.#assigned.set(whoAndWhen!, assignment);
    }
  }

  #learnJoin(response: ResponseOf<'JoinGroup'>): void {
    if (response.error === 'MEMBER_ID_REQUIRED') this.memberId = response.memberId;
    else if (response.error === 'NONE') {
      expect(response.generationId).toBeGreaterThan(0);
      this.memberId = response.memberId;
      this.generationId = response.generationId;
      this.leads = response.leader === response.memberId && !response.skipAssignment;
      this.#others = response.members.map(({ memberId }) => memberId);
      if (response.leader !== response.memberId) expect(response.members).toEqual([]);
    } else if (response.error === 'UNKNOWN_MEMBER_ID' || response.error === 'FENCED_INSTANCE_ID') this.memberId = '';
  }
}

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom('join', 'join', 'sync', 'sync', 'change', 'beat', 'leave', 'silent'),
      who: fc.nat(3),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 50, 1000, 5500) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('round' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('freeze', 'thaw', 'refuse', 'fail-over') }) },
) as fc.Arbitrary<Action>;

class Trial {
  readonly stage = new Stage({ config: { 'group.initial.rebalance.delay.ms': 100 } });
  readonly #assigned = new Map<string, string>();
  readonly clients = ['', '', 'w', 'v'].map((name) => new Client(this.stage, name, this.#assigned));
  readonly calls: Call<{ readonly error: string }>[] = [];
  #epoch = 1;
  #generation = 0;

  run(action: Action): void {
    const { stage } = this;
    switch (action.kind) {
      case 'join':
      case 'change':
        this.clients[action.who]!.join(action.kind === 'change');
        break;
      case 'sync':
      case 'beat':
      case 'leave':
        this.clients[action.who]![action.kind]();
        break;
      case 'silent':
        this.clients[action.who]!.memberId = '';
        break;
      case 'round':
        this.round();
        break;
      case 'wait':
        stage.run(action.ms);
        break;
      case 'freeze':
      case 'thaw':
        stage.host.freeze(action.kind === 'freeze');
        break;
      case 'refuse':
        stage.host.refusals.push('NOT_ENOUGH_REPLICAS');
        break;
      case 'fail-over':
        this.failOver();
    }
    stage.run(2);
    for (const client of this.clients) client.learn();
    this.#look();
  }

  /** What clients do that nothing disturbs: all join, and all who have joined sync. */
  round(): void {
    for (const step of ['join', 'join', 'sync'] as const) {
      for (const client of this.clients) {
        if (step === 'sync') client.sync();
        else client.join(false);
      }
      this.stage.run(250);
      for (const client of this.clients) client.learn();
    }
  }

  failOver(): void {
    this.#epoch += 2;
    this.stage.host.freeze(false);
    this.stage.failOver(this.#epoch);
    // What was not assigned is lost (wire G-11).
    this.#generation = 0;
  }

  /** The rules that hold at every moment. */
  #look(): void {
    const { state, generationId, members } = this.stage.describe();
    if (state === 'Dead') return;
    expect(generationId).toBeGreaterThanOrEqual(this.#generation);
    this.#generation = generationId;
    if (state === 'Empty') expect(members).toEqual([]);
    const names = members.map(({ groupInstanceId }) => groupInstanceId).filter((name) => name !== '');
    expect(new Set(names).size).toBe(names.length);
    if (state !== 'Stable') return;
    for (const { memberId, assignment } of members) {
      const text = assignment.toString();
      // A static member that came back has the assignment of its former id.
      if (text !== '') expect(text.includes(` in ${generationId} #`), `${memberId}: ${text}`).toBe(true);
    }
  }
}

test('whatever members do, rules hold, everybody is answered, and a failover finds the last assigned generation', () => {
  let stableCount = 0;
  fc.assert(
    fc.property(fc.array(action, { minLength: 10, maxLength: 60 }), (actions) => {
      const trial = new Trial();
      const { stage } = trial;
      for (const one of actions) trial.run(one);
      stage.host.freeze(false);
      stage.host.refusals.length = 0;
      const pending = trial.clients.flatMap(({ joins, syncs }) => [...joins, ...syncs]);
      // Nobody says anything any more: sessions, joins and syncs run out (G-22: five minutes at most).
      const before = stage.describe();
      if (before.state === 'Stable') {
        stableCount++;
        trial.failOver();
        expect(stage.describe()).toEqual(before);
      }
      stage.run(400_000);
      for (const call of pending) expect(call.response).toBeDefined();
      const { state, members } = stage.describe();
      expect(['Empty', 'Dead']).toContain(state);
      expect(members).toEqual([]);
    }),
    { seed: 20_261_130, numRuns: 150 },
  );
  expect(stableCount).toBeGreaterThan(10);
});

test('in one trace: one leader a generation, generations rise by one within an epoch, transitions are legal', () => {
  const trial = new Trial();
  const script = fc.sample(fc.array(action, { minLength: 300, maxLength: 300 }), { seed: 7, numRuns: 1 })[0]!;
  for (const one of script) if (one.kind !== 'fail-over') trial.run(one);
  const states = trial.stage.events.filter((event) => event.type === 'group.state');
  expect(states.length).toBeGreaterThan(20);
  const begun = states.filter(({ state }) => state === 'CompletingRebalance' || state === 'Empty');
  expect(begun.map(({ generation }) => generation)).toEqual(begun.map((_, i) => begun[0]!.generation + i));
  const observed = trial.stage.observed.filter(({ point }) => point === 'group.generation');
  expect(observed.map(({ fields }) => fields['generation'])).toEqual(begun.map(({ generation }) => generation));
});
