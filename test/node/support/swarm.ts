// One seed: a cluster under a drawn mix of kills, pauses, cut links, held messages and elections, with somebody producing; then
// all heals, and the logs must agree.
import { Prng } from '../../../src/base/prng.ts';
import { Fleet } from './fleet.ts';

const ROUNDS = 30;
const ROUND_MS = 250;

export function swarm(seed: number): { acknowledged: string[]; logs: string[][]; fleet: Fleet } {
  const fleet = new Fleet({ seed });
  const { cluster } = fleet;
  const random = new Prng(`swarm ${seed}`);
  const acknowledged: string[] = [];
  let sent = 0;
  const send = (): void => {
    const value = `v${sent++}`;
    const one = fleet.client.producer();
    one.send({ topic: 'orders', partition: 0, value: Buffer.from(value) }, (result) => {
      if (result.kind === 'ok') acknowledged.push(value);
    });
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = random.below(6); i > 0; i--) send();
    disturb(fleet, random);
    fleet.runFor(random.below(ROUND_MS));
  }
  cluster.heal(true);
  fleet.until(() => cluster.ready);
  const last = fleet.send('last');
  fleet.until(() => last.result !== undefined && fleet.converged && fleet.isr.length === 3, 120_000);
  return { acknowledged, logs: [1, 2, 3].map((id) => fleet.log(id)), fleet };
}

function disturb(fleet: Fleet, random: Prng): void {
  const { cluster } = fleet;
  const [one, other] = [1 + random.below(3), 1 + random.below(3)];
  switch (random.below(9)) {
    case 0:
      return cluster.kill(one);
    case 1:
    case 2:
      return cluster.start(one);
    case 3:
      return cluster.pause(one);
    case 4:
      return cluster.resume(one);
    case 5:
      return one === other ? undefined : cluster.setLink(one, other, true);
    case 6:
      return cluster.setLink(one, other, false);
    case 7: {
      const points = ['rpc.Fetch.response', 'rpc.Fetch.request', 'log.append.leader', 'log.append.follower'];
      const kinds = ['hold', 'delay'];
      const action = { target: 'node', durationMs: random.below(400), error: 'NONE' as const, laterMs: 0 };
      cluster.arm({
        ...{ id: 'f', point: points[random.below(points.length)]!, where: [], nth: 0, times: 3, probability: 0.5 },
        ...{ ttlMs: 1000, owner: 'test', action: { kind: kinds[random.below(2)]!, ...action } },
      });
      return;
    }
    default:
      return cluster.disarm('*');
  }
}
