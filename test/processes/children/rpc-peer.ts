// A node that is only a network and the effects of faults: it serves heartbeats, and on command sends messages to its
// parent and then strikes itself at a point, as a core would. It sends one message at once, so that the stream is open.
import type { Firing } from '../../../src/fault/effects.ts';
import { LamportClock } from '../../../src/runtime/lamport.ts';
import { HEARTBEAT_ANSWER } from '../../../src/runtime/conformance/sample-messages.ts';
import { createProcessEffects, OWN_SIGNALS } from '../../../src/runtime/real/effects.ts';
import { Turns } from '../../../src/runtime/real/turns.ts';
import { RpcNetwork } from '../../../src/rpc/network.ts';
import { RpcServer } from '../../../src/rpc/server.ts';

const [secret = '', parentPort = '0', firingFile = ''] = process.argv.slice(2);
/** Large enough that turns of the event loop alone would lose some, few enough to leave within the bound. */
const COUNT = 6;
const SIZE_BYTES = 96 * 1024;

const say = (line: string): void => void process.stdout.write(line + '\n');
const turns = new Turns((error) => {
  throw error;
});
const server = new RpcServer({ secret });
const network = new RpcNetwork({
  ...{ node: 2, secret, turns, server, lamport: new LamportClock() },
  flush: () => undefined,
});
const effects = createProcessEffects({
  ...{ turns, firingFile, signals: OWN_SIGNALS },
  elsewhere: (_action, done) => setImmediate(done),
  drained: (boundMs, done) => network.drained(boundMs, done),
  record: () => undefined,
  flush: () => undefined,
});

network.serve({
  unary: {
    BrokerHeartbeat: (request, _from, answer) => {
      say(`heartbeat ${request.currentMetadataOffset}`);
      answer(HEARTBEAT_ANSWER);
    },
  },
  stream: {},
});
network.setAddress(1, '127.0.0.1', Number(parentPort));
const stream = network.open(1, 'Produce', { message: () => undefined, closed: () => undefined });
send(0);
void server.listen('127.0.0.1', 0).then((port) => say(`port ${port}`));

function send(correlationId: number): void {
  stream.send({
    ...{ correlationId, acks: -1, timeoutMs: 1000, transactionalId: '', transactionVersion: 0, clientId: '' },
    partitions: [{ topic: 't', partition: 0, records: Buffer.alloc(SIZE_BYTES, correlationId) }],
  });
}

/** Sends what a leader might, reaches a point, and goes on talking in the same turn. */
function strike(action: 'kill' | 'pause'): void {
  for (let index = 1; index <= COUNT; index++) send(index);
  const firing: Firing = { fault: 'f1', point: 'log.append.leader', action, node: 2, fields: {} };
  if (action === 'kill') effects.kill(firing);
  else effects.pause(firing, 300, () => send(1000));
  send(2000);
}

process.stdin.setEncoding('utf8').on('data', (text: string) => {
  if (text.startsWith('kill')) turns.deliver(() => strike('kill'));
  if (text.startsWith('pause')) turns.deliver(() => strike('pause'));
});
