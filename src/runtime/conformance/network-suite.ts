// What every Network must do: calls here, streams in stream-cases.ts. See runtime/ports.ts and design section 5. Absence
// is shown by a fence (a later round trip on the same connection), never by waiting.
import { expect } from 'vitest';
import type { RequestOf, ResponseOf } from '../../protocol/apis.ts';
import type { Outcome } from '../ports.ts';
import type { Case } from './harness.ts';
import { beat, body, NOBODY, serving, type Beat, type NetworkHarness } from './network-harness.ts';
import { BYTES, FETCH, FETCHED, HEARTBEAT, HEARTBEAT_ANSWER } from './sample-messages.ts';
import { STREAM_CASES } from './stream-cases.ts';

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

/** The suite. Pass it to `conformance` with a maker of harnesses. */
export const NETWORK_SUITE: readonly Case<NetworkHarness>[] = [...UNARY, ...STREAM_CASES];
