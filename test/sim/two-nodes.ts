// Two simulated nodes that talk: what the tests of network faults and of processes share.
import type { NodeId } from '../../src/base/units.ts';
import type { RequestOf } from '../../src/protocol/apis.ts';
import type { Answer, InStream, Outcome, OutStream, Runtime } from '../../src/runtime/ports.ts';
import type { ResponseOf } from '../../src/protocol/apis.ts';
import {
  HEARTBEAT,
  HEARTBEAT_ANSWER,
  LOG_REQUEST,
  logResponse,
} from '../../src/runtime/conformance/sample-messages.ts';
import { World, type WorldOptions } from '../../src/sim/world.ts';

export type Log = RequestOf<'MetadataLog'>;

/** Node 2 counts heartbeats (by their brokerEpoch) and echoes log streams; node 1 asks. */
export class TwoNodes {
  readonly world: World;
  /** What node 2 was asked, over all its processes. */
  readonly served: number[] = [];
  /** What node 2's streams heard. */
  readonly heard: string[] = [];
  /** What node 2 does with a heartbeat. */
  onBeat: (answer: Answer<ResponseOf<'BrokerHeartbeat'>>) => void = (answer) => answer(HEARTBEAT_ANSWER);
  one: Runtime;

  constructor(options: Partial<WorldOptions> = {}) {
    this.world = new World({ seed: 1, ...options });
    this.one = this.startOne();
    this.startTwo();
  }

  startOne(): Runtime {
    this.one = this.world.spawn(1, (runtime) => {
      runtime.network.serve({ unary: {}, stream: {} });
      return runtime;
    });
    return this.one;
  }

  startTwo(): Runtime {
    return this.world.spawn(2, (runtime) => {
      runtime.network.serve({
        unary: {
          BrokerHeartbeat: ({ brokerEpoch }, _from, answer) => {
            this.served.push(brokerEpoch);
            this.onBeat(answer);
          },
        },
        stream: { MetadataLog: (stream) => this.#echo(stream) },
      });
      return runtime;
    });
  }

  /** Sends heartbeat number `n`; the outcome is in the returned list when it has come. */
  beat(n = 0, timeoutMs = 1000): Outcome<unknown>['kind'][] {
    const outcomes: Outcome<unknown>['kind'][] = [];
    const request = { ...HEARTBEAT, brokerEpoch: n };
    this.one.network.request(2, 'BrokerHeartbeat', request, timeoutMs, ({ kind }) => outcomes.push(kind));
    return outcomes;
  }

  /** Opens a log stream from node 1. */
  open(to: NodeId = 2): { readonly out: OutStream<Log>; readonly heard: string[]; send(n: number): void } {
    const heard: string[] = [];
    const out = this.one.network.open(to, 'MetadataLog', {
      message: ({ baseOffset }) => heard.push(String(baseOffset)),
      closed: (reason) => heard.push(reason ?? 'closed'),
    });
    return { out, heard, send: (n) => out.send({ ...LOG_REQUEST, fromOffset: n }) };
  }

  #echo(stream: InStream<ResponseOf<'MetadataLog'>>) {
    this.heard.push('open');
    return {
      message: ({ fromOffset }: Log) => {
        this.heard.push(String(fromOffset));
        stream.send(logResponse(fromOffset));
      },
      ended: () => {
        this.heard.push('ended');
        stream.end();
      },
      closed: () => this.heard.push('broken'),
    };
  }
}
