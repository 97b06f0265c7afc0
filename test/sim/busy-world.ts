// A world in which much happens: three nodes that call each other, stream, write and scan, while a plan drawn from the
// seed kills, pauses, cuts and wipes. For the tests of determinism, here and in child processes.
import {
  LOG_REQUEST,
  HEARTBEAT,
  HEARTBEAT_ANSWER,
  logResponse,
} from '../../src/runtime/conformance/sample-messages.ts';
import type { Runtime } from '../../src/runtime/ports.ts';
import { World } from '../../src/sim/world.ts';

const NODES = [1, 2, 3] as const;

function busyNode(runtime: Runtime): void {
  const { clock, network, store } = runtime;
  const random = runtime.random.fork('busy');
  const note = (message: string): void => runtime.trace({ type: 'log.line', level: 'info', message });
  const peer = (): number => NODES[random.below(NODES.length)]!;
  note(`start, wall ${clock.wallTime()}, holds ${store.get(Buffer.from('k1'))?.toString() ?? 'nothing'}`);
  network.serve({
    unary: {
      BrokerHeartbeat: (_request, _from, answer) => void clock.after(random.next() * 3, () => answer(HEARTBEAT_ANSWER)),
    },
    stream: {
      MetadataLog: (stream) => ({
        message: ({ fromOffset }) => stream.send(logResponse(fromOffset)),
        ended: () => stream.end(),
        closed: () => note('broken'),
      }),
    },
  });
  const act = (): void => {
    const to = peer();
    network.request(to, 'BrokerHeartbeat', HEARTBEAT, 50, ({ kind }) => note(`${to} ${kind}`));
    const out = network.open(peer(), 'MetadataLog', {
      message: ({ baseOffset }) => note(`got ${baseOffset}`),
      closed: (reason) => note(reason ?? 'closed'),
    });
    for (let i = 0; i < 3; i++) out.send({ ...LOG_REQUEST, fromOffset: i });
    if (random.next() < 0.5) out.end();
    const key = Buffer.from(`k${random.below(20)}`);
    store.write([{ type: 'put', key, value: Buffer.from(random.id()) }], { sync: random.next() < 0.3 }, (failure) =>
      note(`wrote ${failure?.reason ?? ''}`),
    );
    store.scan({ gte: Buffer.from('k'), lt: Buffer.from('l') }, (entries) => note(`holds ${entries.length}`));
    note(`races ${store.get(key)?.toString() ?? 'nothing'}`);
    clock.after(random.next() * 20, act);
  };
  act();
}

/** Runs 3 virtual seconds; the hash of everything that happened. */
export function busyHash(seed: number): string {
  const link = { slowChance: 0.1, lossChance: 0.02, duplicateChance: 0.02 };
  const world = new World({ seed, hashed: true, network: { link, codecSample: 0.1 } });
  const plan = world.random('plan');
  for (const id of NODES) world.spawn(id, busyNode);
  for (let i = 0; i < 30; i++) {
    world.runFor(100);
    const node = world.node(NODES[plan.below(NODES.length)]!);
    const other = NODES[plan.below(NODES.length)]!;
    const what = plan.below(7);
    if (what === 0 && node.state === 'running') node.restart();
    else if (what === 1) node.pause();
    else if (what === 2) node.resume();
    else if (what === 3) world.network.cut(node.id, other);
    else if (what === 4) world.network.links.mendAll();
    else if (what === 5) node.losePower();
    if (node.state === 'down') world.spawn(node.id, busyNode);
  }
  return world.traceHash();
}
