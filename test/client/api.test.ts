// The promise API without a cluster: addresses, settling, and the errors people see first.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parseAddress } from '../../src/client/addresses.ts';
import { Calls } from '../../src/client/calls.ts';
import { decompress } from '../../src/client/consumer.ts';
import { closedError, SendError } from '../../src/client/errors.ts';
import { connect } from '../../src/client/index.ts';
import { ConfigError } from '../../src/protocol/config.ts';

describe('addresses', () => {
  test.each([
    ['localhost:9092', 'localhost', 9092],
    [' 10.0.0.1:1 ', '10.0.0.1', 1],
    ['[::1]:65535', '::1', 65_535],
  ])('"%s" is read', (text, host, port) => {
    expect(parseAddress(text)).toEqual({ host, port });
  });

  test.each(['localhost', 'localhost:', ':9092', '::1:9092', 'a:0', 'a:65536', 'http://a:1', 'a b:1'])(
    '"%s" is refused with an example',
    (text) => {
      expect(() => parseAddress(text)).toThrow(ConfigError);
      expect(() => parseAddress(text)).toThrow(/write host:port, e\.g\. localhost:9092/);
    },
  );
});

describe('connect', () => {
  test('bad options are refused before anything is opened', async () => {
    await expect(connect({ brokers: [] })).rejects.toThrow(/at least one/);
    await expect(connect({ brokers: ['nowhere'] })).rejects.toThrow(ConfigError);
    await expect(connect({ brokers: ['localhost:1'], config: { 'linger.msec': 1 } })).rejects.toThrow(/unknown client/);
  });

  test('when nobody answers, it says who was asked and why it failed', async () => {
    const options = { brokers: ['127.0.0.1:1'], config: { 'default.api.timeout.ms': 300 } };
    await expect(connect(options)).rejects.toMatchObject({ code: 'BROKER_NOT_AVAILABLE', definite: true });
    await expect(connect(options)).rejects.toThrow(/cannot connect: bootstrap broker 1/);
  });

  test('an aborted signal ends it with its own reason', async () => {
    const controller = new AbortController();
    const connecting = connect({ brokers: ['127.0.0.1:1'], signal: controller.signal });
    controller.abort(new Error('changed my mind'));
    await expect(connecting).rejects.toThrow('changed my mind');
    await expect(connect({ brokers: ['127.0.0.1:1'], signal: controller.signal })).rejects.toThrow('changed my mind');
  });
});

describe('calls', () => {
  test('a call settles by its answer, and only once', async () => {
    const calls = new Calls();
    const answered = calls.run<number>((resolve, reject) => {
      resolve(1);
      reject(new Error('too late'));
    });
    expect(await answered).toBe(1);
  });

  test('an abort rejects with its reason and stops the core; a later answer changes nothing', async () => {
    const calls = new Calls();
    const controller = new AbortController();
    let stopped = 0;
    let answer: (value: number) => void = () => undefined;
    const call = calls.run<number>(
      (resolve) => (answer = resolve),
      { signal: controller.signal },
      () => (stopped += 1),
    );
    controller.abort('enough');
    answer(1);
    await expect(call).rejects.toBe('enough');
    expect(stopped).toBe(1);
  });

  test('closing rejects what waits as unknown and what comes as not attempted', async () => {
    const calls = new Calls();
    const waiting = calls.run<number>(() => undefined);
    calls.close();
    await expect(waiting).rejects.toMatchObject({ code: 'OPERATION_NOT_ATTEMPTED', definite: false });
    await expect(calls.run<number>(() => undefined)).rejects.toEqual(closedError(true));
  });
});

describe('errors', () => {
  test('repl R-17: the message of an unknown send says so', () => {
    const failed = { kind: 'failed', partition: 3, error: 'REQUEST_TIMED_OUT', message: 'm', retried: true } as const;
    expect(new SendError({ ...failed, definite: true })).toMatchObject({ message: 'm', partition: 3, retried: true });
    expect(new SendError({ ...failed, definite: false }).message).toMatch(/may have been written all the same/);
  });
});

test('gzip is undone; other codecs and damaged bytes are not', () => {
  expect(decompress('gzip', gzipSync('abc'))?.toString()).toBe('abc');
  expect(decompress('gzip', Buffer.from('abc'))).toBeUndefined();
  expect(decompress('zstd', Buffer.from('abc'))).toBeUndefined();
});
