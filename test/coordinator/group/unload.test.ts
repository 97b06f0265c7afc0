// A coordinator that was deposed and has not dropped yet what it had loaded (BUG-15, BUG-40, wire G-7).
import { describe, expect, test } from 'vitest';
import { Stage } from './support/stage.ts';

/** Deposed, and held on its way to dropping what it had. */
function deposed(stage: Stage): void {
  stage.hold('group.unload.started');
  stage.resign(1);
  expect(stage.held).toHaveLength(1);
}

describe('wire G-7: what is about to be dropped', () => {
  test('answers nobody, tells nobody what it knew, and ends what waits only when it is dropped', () => {
    const stage = new Stage();
    const [leader] = stage.stable(2);
    const parked = stage.join({ memberId: leader! });
    deposed(stage);
    for (const call of [stage.heartbeat({ memberId: leader! }), stage.join(), stage.leave(leader!)]) {
      expect(call.response?.error).toBe('NOT_COORDINATOR');
    }
    expect(stage.describe().error).toBe('NOT_COORDINATOR');
    expect(stage.list()).toEqual({ error: 'NONE', groups: [] });
    expect(parked.response).toBeUndefined();
    stage.release();
    expect(parked.response).toMatchObject({ error: 'NOT_COORDINATOR', memberId: leader });
  });

  test('is dropped at once by a new election, and the late drop finds nothing that is its own (BUG-40)', () => {
    const stage = new Stage();
    const members = stage.stable(2);
    const parked = stage.join({ memberId: members[0]! });
    deposed(stage);
    stage.elect(3);
    expect(parked.response?.error).toBe('NOT_COORDINATOR');
    stage.release();
    stage.run();
    expect(stage.describe()).toMatchObject({ error: 'NONE', state: 'Stable', generationId: 1 });
    expect(stage.describe().members.map(({ memberId }) => memberId)).toEqual(members);
  });

  test('and a second resignation while it is held changes nothing', () => {
    const stage = new Stage();
    stage.stable(1);
    deposed(stage);
    stage.coordinator.resigned(0, 2);
    expect(stage.held).toHaveLength(1);
    stage.release();
    stage.elect(3);
    expect(stage.describe().state).toBe('Stable');
  });
});

test('BUG-40: without group.loadOrder the late drop empties what was loaded since', () => {
  const stage = new Stage();
  stage.stable(2);
  deposed(stage);
  stage.elect(3);
  expect(stage.describe().state).toBe('Stable');
  stage.setSafeguard('group.loadOrder', false);
  stage.release();
  expect(stage.list()).toEqual({ error: 'NONE', groups: [] });
  // It serves, and what it is given is written behind what it does not know.
  expect(stage.stable(1)).toHaveLength(1);
});
