// The half of the Network suite that is about streams: order, half-close, abort, and how each end hears of a bad end.
import { expect } from 'vitest';
import type { NodeId } from '../../base/units.ts';
import type { RequestOf, ResponseOf } from '../../protocol/apis.ts';
import type { InStream, OutStream } from '../ports.ts';
import type { Case } from './harness.ts';
import { beat, beats, body, NOBODY, serving, type NetworkHarness } from './network-harness.ts';
import { LOG_REQUEST, logResponse } from './sample-messages.ts';

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

/** The cases of streams. */
export const STREAM_CASES: readonly Case<NetworkHarness>[] = [
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
