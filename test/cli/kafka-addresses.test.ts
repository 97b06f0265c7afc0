// Two listeners a broker (wire W-36): what `up` may be told of them, what becomes of it, and what is kept.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readState, writeState, type ClusterState } from '../../src/agent/home.ts';
import { layOut, type ClusterPlan } from '../../src/agent/new-cluster.ts';
import { startFileFor } from '../../src/agent/new-start-file.ts';
import { freePorts } from '../../src/agent/ports.ts';
import { bootstrapOf } from '../../src/cli/client-lines.ts';
import { listenerPlan, type ListenerOptions } from '../../src/cli/kafka-addresses.ts';

describe('words', () => {
  test.each<[ListenerOptions, string]>([
    [{ advertise: 'proxy' }, '--advertise is HOST:PORT, the address of broker 1; .* not "proxy"; off takes it back'],
    [{ advertise: ':9092' }, '--advertise is HOST:PORT'],
    [{ advertise: 'a b:9092' }, '--advertise is HOST:PORT'],
    [{ advertise: 'http://a:9092' }, '--advertise is HOST:PORT'],
    [{ advertise: '::1:9092' }, '--advertise is HOST:PORT'],
    [{ outside: 'a:0' }, 'the port of --outside is a whole number from 1 to 65533 for 3 brokers, not 0'],
    [{ outside: 'a:65534' }, 'from 1 to 65533 for 3 brokers, not 65534'],
    [{ outside: 'a:99999' }, 'from 1 to 65533 for 3 brokers, not 99999'],
    [{ outside: 'a:9092', outsideBind: '0.0.0.0' }, '--outside-bind is HOST:PORT'],
    [{ outside: 'a:9092', outsideBind: 'off' }, '--outside-bind is HOST:PORT, .* not "off"$'],
    [{ outsideBind: '0.0.0.0:9092' }, '--outside-bind says where the listener of --outside listens: give both'],
    [{ outside: 'off', outsideBind: '0.0.0.0:9092' }, 'give both'],
  ])('%j is refused', (options, sentence) => {
    expect(() => listenerPlan(options, 3)).toThrow(new RegExp(sentence));
  });

  test('a second listener listens on the loopback at the ports it tells, unless it is told otherwise', () => {
    const told = { host: 'me.example', port: 39_092 };
    const outside = 'me.example:39092';
    expect(listenerPlan({ outside }, 3)).toEqual({ outside: { ...told, bind: { host: '127.0.0.1', port: 39_092 } } });
    expect(listenerPlan({ outside, outsideBind: '[::1]:9' }, 3)).toEqual({
      outside: { ...told, bind: { host: '::1', port: 9 } },
    });
    expect(listenerPlan({ outside: 'off', advertise: 'off' }, 3)).toEqual({ outside: 'off', advertise: 'off' });
    expect(listenerPlan({}, 3)).toEqual({});
  });
});

describe('layout', () => {
  let home: string;
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'listeners-'))));
  afterEach(() => rmSync(home, { recursive: true }));

  const laidOut = async (options: ListenerOptions, more: Partial<ClusterPlan> = {}): Promise<ClusterState> => {
    const plan = {
      ...{ name: 'two', home, brokers: 2, dir: undefined, timers: 'fast', host: '127.0.0.1' },
      config: {},
    };
    const state = await layOut({ ...plan, portBase: 0, listeners: listenerPlan(options, 2), ...more } as ClusterPlan);
    writeState(state, home);
    return state;
  };
  const ports = (): Promise<number[]> =>
    freePorts({ host: '127.0.0.1', count: 2, consecutive: true, taken: new Set() });

  test('wire W-36: each broker tells its own address, and a start file says which', async () => {
    const [port] = (await ports()) as [number];
    const state = await laidOut({
      ...{ advertise: 'proxy.example:1000', outside: 'me.example:2000', outsideBind: `127.0.0.1:${port}` },
    });
    const starts = state.nodes.filter(({ role }) => role === 'broker').map((node) => startFileFor(state, node, []));
    expect(starts).toMatchObject(
      [0, 1].map((nth) => ({
        kafkaAdvertised: { host: 'proxy.example', port: 1000 + nth },
        kafkaOutside: { host: 'me.example', port: 2000 + nth, bind: { host: '127.0.0.1', port: port + nth } },
      })),
    );
    const controller = state.nodes.find(({ role }) => role === 'controller')!;
    expect(startFileFor(state, controller, [])).not.toHaveProperty('kafkaOutside');
    expect(bootstrapOf(state)).toBe('proxy.example:1000,proxy.example:1001');
    expect(bootstrapOf(state, 'outside')).toBe('me.example:2000,me.example:2001');
  });

  test('a recorded cluster keeps them, also with more brokers, until they are taken back', async () => {
    const [port] = (await ports()) as [number];
    const first = await laidOut({ outside: `127.0.0.1:${port}` });
    expect(readState('two', home)).toEqual(first);
    const second = await laidOut({}, { brokers: 3 });
    expect(bootstrapOf(second, 'outside')).toBe([0, 1, 2].map((nth) => `127.0.0.1:${port + nth}`).join(','));
    const third = await laidOut({ outside: 'off' });
    expect(() => bootstrapOf(third, 'outside')).toThrow(/broker 1 has no listener outside .* --outside HOST:PORT/);
  });

  test('a port that cannot be had is named', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as AddressInfo;
    await expect(laidOut({ outside: `127.0.0.1:${port}` })).rejects.toThrow(
      `port ${port} for the listener outside of broker 1 cannot be had on 127.0.0.1: it is taken`,
    );
    await new Promise((resolve) => holder.close(resolve));
    const [own] = (await ports()) as [number];
    await expect(laidOut({ outside: `127.0.0.1:${own}` }, { portBase: own })).rejects.toThrow(
      `port ${own} for the listener outside of broker 1 is the port of the first listener of a broker`,
    );
    await laidOut({ outside: `127.0.0.1:${own}` });
    await expect(laidOut({ outside: `127.0.0.1:${own}` }, { name: 'other' })).rejects.toThrow(
      `port ${own} for the listener outside of broker 1 belongs to another cluster of yours`,
    );
  });
});
