// Who is asked for metadata, how often, and who waits (against a cluster by script).
import { describe, expect, test } from 'vitest';
import { ScriptedCluster, TOPIC } from './support/scripted.ts';
import { waitFor } from './support/wait.ts';

describe('metadata refresh', () => {
  test('one refresh at a time serves all who ask', () => {
    const cluster = new ScriptedCluster();
    const { metadata } = cluster.client();
    metadata.track(TOPIC);
    for (let asked = 0; asked < 10; asked++) metadata.requestUpdate();
    cluster.world.runFor(1000);
    expect(cluster.requests('Metadata')).toHaveLength(1);
  });

  test('a topic that was added while one was under way is asked for at once', () => {
    const cluster = new ScriptedCluster();
    const { metadata } = cluster.client();
    metadata.track('first');
    cluster.world.run({ until: () => cluster.requests('Metadata').length === 1, maxMs: 1000 });
    metadata.track(TOPIC);
    cluster.world.runFor(15);
    expect(cluster.requests('Metadata').map(({ request }) => request.topics)).toEqual([['first'], ['first', TOPIC]]);
  });

  test('refreshes that tell nothing new come further and further apart', () => {
    const cluster = new ScriptedCluster();
    const { metadata } = cluster.client({ 'retry.backoff.ms': 100, 'retry.backoff.max.ms': 1600 });
    metadata.track(TOPIC);
    metadata.onUpdate(() => metadata.requestUpdate());
    cluster.world.runFor(10_000);
    const times = cluster.requests('Metadata').map(({ at }) => at);
    const gaps = times.slice(1).map((at, index) => at - times[index]!);
    expect(gaps[0]).toBeLessThan(130);
    expect(gaps[4]).toBeGreaterThan(700);
    expect(Math.max(...gaps)).toBeLessThan(1610);
  });

  test('brokers are asked in turn', () => {
    const cluster = new ScriptedCluster();
    const { metadata } = cluster.client();
    metadata.track(TOPIC);
    metadata.onUpdate(() => metadata.requestUpdate());
    cluster.world.runFor(1000);
    expect(new Set(cluster.requests('Metadata').map(({ node }) => node))).toEqual(new Set([1, 2, 3]));
  });

  test('a broker that does not answer is left alone while others do', () => {
    const cluster = new ScriptedCluster(3);
    const { metadata } = cluster.client();
    metadata.track(TOPIC);
    cluster.world.runFor(100);
    cluster.world.node(2).pause();
    metadata.nodeFailed(2);
    metadata.onUpdate(() => metadata.requestUpdate());
    metadata.requestUpdate();
    cluster.world.runFor(1900);
    expect(cluster.requests('Metadata').length).toBeGreaterThan(15);
    expect(metadata.lastFailure).toBeUndefined();
  });

  test('metadata older than metadata.max.age.ms is refreshed without a cause', () => {
    const cluster = new ScriptedCluster();
    const { metadata } = cluster.client({ 'metadata.max.age.ms': 5000 });
    metadata.track(TOPIC);
    cluster.world.runFor(11_000);
    expect(cluster.requests('Metadata')).toHaveLength(3);
  });

  test('bootstrap nodes are asked again when all brokers failed', () => {
    const cluster = new ScriptedCluster();
    const { metadata } = cluster.client();
    metadata.track(TOPIC);
    cluster.world.runFor(100);
    for (const id of [1, 2, 3]) cluster.world.node(id).kill();
    metadata.requestUpdate();
    cluster.world.runFor(1000);
    expect(metadata.lastFailure).toMatch(/broker \d cannot be reached/);
    for (const id of [1, 2, 3]) cluster.world.node(id).restart();
    cluster.world.runFor(1000);
    expect(metadata.lastFailure).toBeUndefined();
  });

  test('a waiting caller hears when it holds, or that its time is over; never inside the call', () => {
    const cluster = new ScriptedCluster();
    const { metadata } = cluster.client();
    metadata.track(TOPIC);
    const known = () => metadata.partition(TOPIC, 0) !== undefined;
    expect(waitFor<boolean>(cluster.world, (done) => metadata.when(known, 1000, done))).toBe(true);
    expect(waitFor<boolean>(cluster.world, (done) => metadata.when(known, 1000, done))).toBe(true);
    const before = cluster.world.now;
    expect(waitFor<boolean>(cluster.world, (done) => metadata.when(() => false, 1000, done))).toBe(false);
    expect(cluster.world.now - before).toBeCloseTo(1000, 0);
  });

  test('closed, it asks nobody any more', () => {
    const cluster = new ScriptedCluster();
    const { metadata } = cluster.client();
    metadata.track(TOPIC);
    cluster.world.runFor(100);
    metadata.close();
    metadata.requestUpdate();
    cluster.world.runFor(1_000_000);
    expect(cluster.requests('Metadata')).toHaveLength(1);
  });
});
