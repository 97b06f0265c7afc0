// What every Network must do: calls, streams, and what is heard when either ends badly. See runtime/ports.ts and
// design section 5. Absence is shown by a fence (a later round trip on the same connection), never by waiting.
import { expect } from 'vitest';
import type { NodeId } from '../../base/units.ts';
import type { RequestOf, ResponseOf } from '../../protocol/apis.ts';
import type { Handlers, InStream, Network, Outcome, OutStream } from '../ports.ts';
import type { Case, Harness } from './harness.ts';
import { BYTES, FETCH, FETCHED, HEARTBEAT, HEARTBEAT_ANSWER, LOG_REQUEST, logResponse } from './sample-messages.ts';

/** Nodes 1 and 2 can reach each other and themselves; node 99 does not exist. */
export interface NetworkHarness extends Harness {
  network(node: 1 | 2): Network;
  /** Call after both have been given their handlers with `serve`, before anything is sent. */
  ready(): Promise<void>;
  /** Ends node 2 at once, as kill -9 does. */
  kill(): Promise<void>;
  /** The node's Lamport time. */
  lamport(node: 1 | 2): number;
}

export const NOBODY: NodeId = 99;

/** A message without the Lamport time that a network adds. */
function body<M extends object>(message: M): Omit<M, 'lamport'> {
  const { lamport: _lamport, ...rest } = message as M & { lamport?: number };
  return rest as Omit<M, 'lamport'>;
}

async function serving(harness: NetworkHarness, two: Partial<Handlers>, one: Partial<Handlers> = {}): Promise<void> {
  harness.network(1).serve({ unary: {}, stream: {}, ...one });
  harness.network(2).serve({ unary: {}, stream: {}, ...two });
  await harness.ready();
}

type Beat = Outcome<ResponseOf<'BrokerHeartbeat'>>;

/** Sends a heartbeat and waits for its end. */
async function beat(harness: NetworkHarness, to: NodeId, timeoutMs = 5000, from: 1 | 2 = 1): Promise<Beat> {
  let outcome: Beat | undefined;
  harness.network(from).request(to, 'BrokerHeartbeat', HEARTBEAT, timeoutMs, (ended) => {
    expect(outcome).toBeUndefined();
    outcome = ended;
  });
  expect(outcome).toBeUndefined();
  await harness.until(() => outcome !== undefined, 'the request ends');
  return outcome as Beat;
}

const beats = {
  BrokerHeartbeat: (_request: unknown, _from: NodeId, answer: (r: typeof HEARTBEAT_ANSWER) => void) =>
    answer(HEARTBEAT_ANSWER),
};

const UNARY: readonly Case<NetworkHarness>[] = [
  {
    name: 'network: a request arrives as it was sent, with who sent it, and so does the answer',
    async run(harness) {
      const seen: unknown[] = [];
      await serving(harness, {
        unary: {
          BrokerHeartbeat: (request, from, answer) => {
            seen.push(body(request), from);
            answer(HEARTBEAT_ANSWER);
          },
        },
      });
      const outcome = await beat(harness, 2);
      expect(seen).toEqual([HEARTBEAT, 1]);
      expect(outcome.kind === 'ok' && body(outcome.response)).toEqual(HEARTBEAT_ANSWER);
    },
  },
  {
    name: 'network: bytes, large numbers, enums, lists and absent sub-messages survive, and share nothing with the sender',
    async run(harness) {
      let request: RequestOf<'ConsumerFetch'> | undefined;
      await serving(harness, {
        unary: {
          ConsumerFetch: (received, _from, answer) => {
            request = received;
            answer(FETCHED);
          },
        },
      });
      let outcome: Outcome<ResponseOf<'ConsumerFetch'>> | undefined;
      harness.network(1).request(2, 'ConsumerFetch', FETCH, 5000, (ended) => (outcome = ended));
      await harness.until(() => outcome !== undefined, 'the request ends');
      expect(request && body(request)).toEqual(FETCH);
      const response = outcome?.kind === 'ok' ? outcome.response : undefined;
      expect(response && body(response)).toEqual(FETCHED);
      const records = response?.partitions[0]?.records;
      expect(Buffer.isBuffer(records)).toBe(true);
      records?.fill(9);
      expect(FETCHED.partitions[0]?.records).toEqual(Buffer.from([0, 1, 0x7f, 0x80, 0xff, 0xc3, 0x28, 0]));
      expect(BYTES[0]).toBe(0);
    },
  },
  {
    name: 'network: a call to the own node goes the same way: not inside the call, with copies',
    async run(harness) {
      let received: RequestOf<'BrokerHeartbeat'> | undefined;
      await serving(
        harness,
        {},
        {
          unary: {
            BrokerHeartbeat: (request, _from, answer) => {
              received = request;
              answer(HEARTBEAT_ANSWER);
            },
          },
        },
      );
      const outcome = await beat(harness, 1);
      expect(outcome.kind).toBe('ok');
      expect(received).not.toBe(HEARTBEAT);
    },
  },
  {
    name: 'network: an answer may come later, and out of the order of the requests',
    async run(harness) {
      const answers: ((response: typeof HEARTBEAT_ANSWER) => void)[] = [];
      await serving(harness, { unary: { BrokerHeartbeat: (_request, _from, answer) => answers.push(answer) } });
      const ended: number[] = [];
      for (const i of [0, 1])
        harness.network(1).request(2, 'BrokerHeartbeat', HEARTBEAT, 5000, (outcome) => {
          expect(outcome.kind).toBe('ok');
          ended.push(i);
        });
      await harness.until(() => answers.length === 2, 'both arrive');
      expect(ended).toEqual([]);
      for (const answer of answers.reverse()) answer(HEARTBEAT_ANSWER);
      await harness.until(() => ended.length === 2, 'both are answered');
    },
  },
  {
    name: "network: without an answer the request is 'timed-out', and a late answer is dropped",
    async run(harness) {
      let late: (() => void) | undefined;
      await serving(harness, {
        unary: {
          BrokerHeartbeat: (_request, _from, answer) => {
            if (late === undefined) late = () => answer(HEARTBEAT_ANSWER);
            else answer(HEARTBEAT_ANSWER);
          },
        },
      });
      expect(await beat(harness, 2, 150)).toEqual({ kind: 'timed-out' });
      expect(late).toBeDefined();
      late?.();
      expect((await beat(harness, 2)).kind).toBe('ok');
    },
  },
  {
    name: 'network: what nobody serves and where nobody is ends without ok, once, later',
    async run(harness) {
      await serving(harness, {});
      expect((await beat(harness, 2)).kind).not.toBe('ok');
      expect((await beat(harness, NOBODY, 400)).kind).not.toBe('ok');
    },
  },
  {
    name: 'network: a peer killed with a request in hand ends the request without ok',
    async run(harness) {
      let arrived = false;
      await serving(harness, { unary: { BrokerHeartbeat: () => void (arrived = true) } });
      let outcome: Beat | undefined;
      harness.network(1).request(2, 'BrokerHeartbeat', HEARTBEAT, 10_000, (ended) => (outcome = ended));
      await harness.until(() => arrived, 'the request arrives');
      await harness.kill();
      await harness.until(() => outcome !== undefined, 'the request ends');
      expect(outcome?.kind).not.toBe('ok');
    },
  },
  {
    name: 'network: what a message causes has a later Lamport time than its sending',
    async run(harness) {
      const received: number[] = [];
      await serving(harness, {
        unary: {
          BrokerHeartbeat: (_request, _from, answer) => {
            received.push(harness.lamport(2));
            answer(HEARTBEAT_ANSWER);
          },
        },
      });
      for (let i = 0; i < 3; i++) {
        const before = harness.lamport(1);
        await beat(harness, 2);
        expect(received[i]).toBeGreaterThan(before);
        expect(harness.lamport(1)).toBeGreaterThan(received[i] ?? Infinity);
      }
    },
  },
];

/** What one side of a stream heard, as text. */
type Heard = string[];

interface Opened {
  readonly out: OutStream<RequestOf<'MetadataLog'>>;
  readonly heard: Heard;
}

function opened(harness: NetworkHarness, to: NodeId): Opened {
  const heard: Heard = [];
  const out = harness.network(1).open(to, 'MetadataLog', {
    message: (response) => heard.push(`message ${response.baseOffset}`),
    closed: (reason) => heard.push(reason === undefined ? 'closed' : 'broken'),
  });
  expect(heard).toEqual([]);
  return { out, heard };
}

interface Served {
  readonly heard: Heard;
  stream?: InStream<ResponseOf<'MetadataLog'>>;
}

/** Node 2 serves MetadataLog and notes what it hears; `on` reacts. */
async function servedLog(
  harness: NetworkHarness,
  on?: (what: string, stream: InStream<ResponseOf<'MetadataLog'>>) => void,
): Promise<Served> {
  const served: Served = { heard: [] };
  await serving(harness, {
    unary: beats,
    stream: {
      MetadataLog: (stream) => {
        served.stream = stream;
        const note = (what: string): void => {
          served.heard.push(what);
          on?.(what, stream);
        };
        note(`open ${stream.from}`);
        return {
          message: (request) => note(`message ${request.fromOffset}`),
          ended: () => note('ended'),
          closed: () => note('closed'),
        };
      },
    },
  });
  return served;
}

const numbered = (fromOffset: number): RequestOf<'MetadataLog'> => ({ ...LOG_REQUEST, fromOffset });
const messages = (count: number): string[] => Array.from({ length: count }, (_, i) => `message ${i}`);

const STREAMS: readonly Case<NetworkHarness>[] = [
  {
    name: 'stream: messages arrive in order, both ways, also those sent right after opening',
    async run(harness) {
      const served = await servedLog(harness, (what, stream) => {
        if (what === 'open 1') for (let i = 0; i < 50; i++) stream.send(logResponse(i));
      });
      const { out, heard } = opened(harness, 2);
      for (let i = 0; i < 50; i++) out.send(numbered(i));
      await harness.until(() => heard.length === 50 && served.heard.length === 51, 'all arrive');
      expect(heard).toEqual(messages(50));
      expect(served.heard).toEqual(['open 1', ...messages(50)]);
      out.abort();
    },
  },
  {
    name: 'stream: a response arrives as it was sent, oneofs and empty lists included',
    async run(harness) {
      await servedLog(harness, (what, stream) => what === 'open 1' && stream.send(logResponse(3)));
      let received: ResponseOf<'MetadataLog'> | undefined;
      const out = harness.network(1).open(2, 'MetadataLog', {
        message: (response) => (received = response),
        closed: () => undefined,
      });
      await harness.until(() => received !== undefined, 'the response arrives');
      expect(received && body(received)).toEqual(logResponse(3));
      out.abort();
    },
  },
  {
    name: 'stream: after `end` the answers owed still arrive, then closed in order (design section 5)',
    async run(harness) {
      const served = await servedLog(harness, (what, stream) => {
        if (what !== 'ended') return;
        for (let i = 0; i < 3; i++) stream.send(logResponse(i));
        stream.end();
      });
      const { out, heard } = opened(harness, 2);
      out.send(numbered(0));
      out.end();
      await harness.until(() => heard.length === 4, 'the stream closes');
      expect(heard).toEqual([...messages(3), 'closed']);
      expect(served.heard).toEqual(['open 1', 'message 0', 'ended']);
    },
  },
  {
    name: 'stream: the server may end first; what the opener sends then is lost without harm',
    async run(harness) {
      await servedLog(harness, (what, stream) => {
        if (what !== 'open 1') return;
        stream.send(logResponse(0));
        stream.end();
      });
      const { out, heard } = opened(harness, 2);
      await harness.until(() => heard.length === 2, 'the stream closes');
      out.send(numbered(1));
      out.end();
      out.abort();
      await beat(harness, 2);
      expect(heard).toEqual(['message 0', 'closed']);
    },
  },
  {
    name: 'stream: after `abort` the opener hears nothing more, and the server sees it broken once',
    async run(harness) {
      const served = await servedLog(harness);
      const { out, heard } = opened(harness, 2);
      await harness.until(() => served.stream !== undefined, 'the stream opens');
      served.stream?.send(logResponse(0));
      out.abort();
      out.send(numbered(0));
      await harness.until(() => served.heard.includes('closed'), 'the server sees it broken');
      served.stream?.send(logResponse(1));
      served.stream?.end();
      await beat(harness, 2);
      expect(heard).toEqual([]);
      expect(served.heard).toEqual(['open 1', 'closed']);
    },
  },
  {
    name: 'stream: one that cannot be opened is closed with a reason, later and once',
    async run(harness) {
      await serving(harness, { unary: beats });
      for (const to of [2, NOBODY]) {
        const { out, heard } = opened(harness, to);
        out.send(numbered(0));
        await harness.until(() => heard.length > 0, 'the stream closes');
        out.end();
        await beat(harness, 2);
        expect(heard).toEqual(['broken']);
      }
    },
  },
  {
    name: 'stream: the death of the server breaks it, after what had arrived',
    async run(harness) {
      const served = await servedLog(harness, (what, stream) => what === 'open 1' && stream.send(logResponse(0)));
      const { out, heard } = opened(harness, 2);
      await harness.until(() => heard.length === 1 && served.stream !== undefined, 'the first message arrives');
      await harness.kill();
      await harness.until(() => heard.length === 2, 'the stream breaks');
      out.send(numbered(1));
      expect(heard).toEqual(['message 0', 'broken']);
    },
  },
  {
    name: 'stream: several between the same nodes do not mix',
    async run(harness) {
      await servedLog(harness, (what, stream) => {
        if (what.startsWith('message')) stream.send(logResponse(Number(what.slice(8))));
      });
      const streams = [opened(harness, 2), opened(harness, 2), opened(harness, 2)];
      streams.forEach(({ out }, i) => out.send(numbered(i)));
      await harness.until(() => streams.every(({ heard }) => heard.length > 0), 'all answers arrive');
      expect(streams.map(({ heard }) => heard)).toEqual([['message 0'], ['message 1'], ['message 2']]);
      for (const { out } of streams) out.abort();
    },
  },
];

/** The suite. Pass it to `conformance` with a maker of harnesses. */
export const NETWORK_SUITE: readonly Case<NetworkHarness>[] = [...UNARY, ...STREAMS];
