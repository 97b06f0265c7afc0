// The program of a workload client: `node dist/client/main.js`, commands on stdin (src/workload/pipe.ts). A process of its
// own, so that it can be killed and paused. Everything it says is in its file before anything it caused leaves the process.
// Its end of stdin is its lifeline: whoever started it is gone, and so is it.
import { openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { furnish, type Furnished } from '../host/furnish.ts';
import { RpcNetwork } from '../rpc/network.ts';
import { LamportClock } from '../runtime/lamport.ts';
import type { Store } from '../runtime/ports.ts';
import { createRealClock } from '../runtime/real/clock.ts';
import { createProcessEffects, OWN_SIGNALS } from '../runtime/real/effects.ts';
import { createRandom } from '../runtime/real/random.ts';
import { Turns } from '../runtime/real/turns.ts';
import type { TraceEvent } from '../trace/events.ts';
import { startClient } from '../workload/client.ts';
import type { ClientStart, FromClient, Said, ToClient } from '../workload/pipe.ts';
import type { WorkloadClient } from '../workload/spec.ts';

/** A client keeps no state. */
const NO_STORE: Store = {
  get: () => undefined,
  write: (_ops, _options, done) => setImmediate(() => done({ reason: 'a client has no store' })),
  scan: (_range, done) => setImmediate(() => done([], { reason: 'a client has no store' })),
};

interface RunningClient {
  readonly turns: Turns;
  readonly furnished: Furnished;
  readonly workload: WorkloadClient;
  readonly say: (line: FromClient) => void;
}

function main(): void {
  let running: RunningClient | undefined;
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (text) => {
    const line = JSON.parse(text) as ToClient;
    if ('start' in line) running = start(line.start);
    else if (running !== undefined) obey(running, line);
  });
  lines.on('close', () => process.exit(0));
}

function start(options: ClientStart): RunningClient {
  const file = openSync(options.file, 'a', 0o600);
  const say = (line: FromClient): void => {
    const said: Said = { ...line, atUs: Number(process.hrtime.bigint() / 1000n) };
    const text = `${JSON.stringify(said)}\n`;
    writeSync(file, text);
    process.stdout.write(text);
  };
  const turns = new Turns((error) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(70);
  });
  const furnished = furnishClient(options, turns, (event) => say({ event }));
  const workload = startClient(options.spec, options, furnished.runtime, (report) => {
    say({ report });
    if (report.kind === 'done') setImmediate(() => process.exit(0));
  });
  return { turns, furnished, workload, say };
}

function furnishClient(options: ClientStart, turns: Turns, trace: (event: TraceEvent) => void): Furnished {
  const { node, seed, addresses } = options;
  const network = new RpcNetwork({
    ...{ node, secret: '', turns, lamport: new LamportClock() },
    flush: () => undefined, // what it says is written at once
  });
  for (const { node: broker, host, port } of addresses) network.setAddress(broker, host, port);
  const effects = createProcessEffects({
    ...{ turns, signals: OWN_SIGNALS, record: trace, flush: () => undefined },
    firingFile: join(dirname(options.file), `${options.spec.id}.firings.ndjson`),
    drained: (boundMs, done) => network.drained(boundMs, done),
    // A run acts on other targets itself; see ClusterDriver.
    elsewhere: (_action, done) => setImmediate(() => done('a client has no agent to ask')),
  });
  const bare = {
    ...{ node, network, store: NO_STORE },
    clock: createRealClock(turns, { holdsProcess: true }),
    random: createRandom(seed),
    trace: (event: TraceEvent) => {
      if (!turns.stopped) trace(event);
    },
    halt: (reason: string) => {
      process.stderr.write(`${reason}\n`);
      process.exit(1);
    },
  };
  return furnish(bare, effects, options, () => undefined);
}

function obey(client: RunningClient, line: Exclude<ToClient, { start: ClientStart }>): void {
  const { turns, furnished, workload, say } = client;
  turns.deliver(() => {
    if ('command' in line) workload.command(line.command);
    else if ('arm' in line) {
      const refused = furnished.engine.arm(line.arm);
      if (refused !== '') say({ refused });
    } else if ('disarm' in line) furnished.engine.disarm(line.disarm);
    else if ('release' in line) furnished.engine.release(line.release);
    else if ('link' in line) furnished.engine.setLink(line.link.to, line.link.cut);
    else furnished.safeguards.set(line.safeguard.name, line.safeguard.on);
  });
}

main();
