// What a cluster in containers shall be, how its containers are told, and what people read when it cannot start.
import { expect, test } from 'vitest';
import { readPlace } from '../../src/agent/container-layout.ts';
import {
  changed,
  DEFAULTS,
  environmentOf,
  nodePorts,
  publishedPorts,
  topicSpecs,
} from '../../src/testcontainers/settings.ts';
import { explained, imageMissing, portIsTaken, StartFailed } from '../../src/testcontainers/start-failed.ts';

const SECRET = 'a secret of 16 characters';

test('the ports that are published are those on which the nodes listen for clients outside', () => {
  const settings = changed(DEFAULTS, { brokers: 2 });
  const { state, waits } = readPlace(environmentOf(settings, { node: 'all', secret: SECRET, host: 'app' }), '/volume');
  const listens = state.nodes.map(({ id, outsideListens }) => ({ id, ...outsideListens }));
  expect(waits).toBe(true);
  expect(listens).toEqual(nodePorts(2).map(({ id, grpc, kafka }) => ({ id, grpcPort: grpc, kafkaPort: kafka })));
  expect(publishedPorts(nodePorts(2))).toEqual([9190, 19191, 19192, 19092, 19193, 19093]);
});

test('settings reach the nodes by their names; a node is found at its own name, or all at one', () => {
  const settings = changed(DEFAULTS, { brokers: 1, config: { 'min.insync.replicas': '1' } });
  const alone = readPlace(environmentOf(settings, { node: 'broker-1', secret: SECRET }), '/volume');
  expect(alone.state.config).toEqual({ 'min.insync.replicas': '1' });
  expect(alone.state.nodes.map(({ host }) => host)).toEqual(['controller', 'broker-1']);
  const together = readPlace(environmentOf(settings, { node: 'all', secret: SECRET, host: 'app' }), '/volume');
  expect(together.state.nodes.map(({ host }) => host)).toEqual(['app', 'app']);
});

test('what no cluster can be is refused before anything starts', () => {
  expect(() => changed(DEFAULTS, { brokers: 0 })).toThrow(/1 to 9 brokers, not 0/);
  expect(() => changed(DEFAULTS, { config: { 'min.insync.replica': '2' } })).toThrow(/min\.insync\.replica/);
  expect(() => topicSpecs(changed(DEFAULTS, { topics: { orders: { replicationFactor: 4 } } }))).toThrow(/RF.*1 to 3/);
  expect(topicSpecs(changed(DEFAULTS, { topics: { orders: {} } }))).toEqual([
    { name: 'orders', partitions: 1, replicationFactor: 3 },
  ]);
});

test.each([
  ['Could not find a working container runtime strategy', /no container engine answers/],
  ['(HTTP code 404) pull access denied for testcontainers/ryuk', /TESTCONTAINERS_RYUK_DISABLED=true/],
  ['something else', /a container of highwater:latest cannot be started: something else/],
])('"%s" is told in words that say what to do', (message, words) => {
  const why = explained(new Error(message), 'highwater:latest');
  expect(why).toBeInstanceOf(StartFailed);
  expect(why.message).toMatch(words);
});

test('a taken port is told from other trouble; a missing image says how to build it', () => {
  expect(portIsTaken(new Error('Bind for 0.0.0.0:20001 failed: port is already allocated'))).toBe(true);
  expect(portIsTaken(new Error('no such image'))).toBe(false);
  expect(imageMissing('highwater:latest').message).toContain('npm run image');
});
