// What clients are offered: by the level of transactions, by the release to look like, with and without leader hints.
import { afterEach, describe, expect, test } from 'vitest';
import type { ServedApi } from '../../src/kafka/apis/api.ts';
import { advertised } from '../../src/kafka/profile.ts';
import { WIRE_APIS } from '../../src/kafka/registry.ts';
import { ConfigError, nodeConfig } from '../../src/protocol/config.ts';
import { KAFKA_RELEASES, newestVersions, type KafkaRelease } from '../../src/protocol/kafka-releases.ts';
import { API_VERSIONS, DEMO } from './bodies.ts';
import type { Struct } from './generic-codec.ts';
import { aListener, type Listening } from './listening.ts';
import { request, response } from './raw-client.ts';

const open: Listening[] = [];
async function listening(...options: Parameters<typeof aListener>): Promise<Listening> {
  const one = await aListener(...options);
  open.push(one);
  return one;
}
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const rangeOf = (table: readonly Struct[], key: number): string => {
  const row = table.find(({ apiKey }) => apiKey === key);
  return row === undefined ? 'none' : `${row['minVersion']}-${row['maxVersion']}`;
};

async function tableOf(one: Listening, version = 3): Promise<Struct> {
  return (await one.client().ask(API_VERSIONS, version, DEMO)).body;
}

describe('by the level of transactions', () => {
  test('wire section 3, W-19, W-20: level 2 finalizes the feature at the offset of its metadata; 0 and 1 say nothing', async () => {
    const one = await listening();
    one.broker.finalized = { transactionVersion: 2, elrVersion: 1, metadataOffset: 4711 };
    const finalizedFeatures = [
      { name: 'eligible.leader.replicas.version', maxVersionLevel: 1, minVersionLevel: 1 },
      { name: 'transaction.version', maxVersionLevel: 2, minVersionLevel: 2 },
    ];
    const three = await tableOf(one, 3);
    expect(three).toMatchObject({ finalizedFeaturesEpoch: 4711, finalizedFeatures });
    expect(three).not.toHaveProperty('supportedFeatures');
    const supportedFeatures = [
      { name: 'eligible.leader.replicas.version', minVersion: 0, maxVersion: 1 },
      { name: 'transaction.version', minVersion: 0, maxVersion: 2 },
    ];
    expect(await tableOf(one, 4)).toMatchObject({ finalizedFeaturesEpoch: 4711, finalizedFeatures, supportedFeatures });
    expect(Object.keys(await tableOf(one, 2)).sort()).toEqual(['apiKeys', 'errorCode', 'throttleTimeMs']);
    for (const transactionVersion of [0, 1]) {
      one.broker.finalized = { transactionVersion, elrVersion: 1, metadataOffset: 4712 };
      expect(Object.keys(await tableOf(one, 4)).sort()).toEqual(['apiKeys', 'errorCode', 'throttleTimeMs']);
    }
  });

  test('wire W-19: a level of 0 is not finalized, and is listed as supported', async () => {
    const one = await listening();
    one.broker.finalized = { transactionVersion: 2, elrVersion: 0, metadataOffset: 7 };
    const { finalizedFeatures, supportedFeatures } = await tableOf(one, 4);
    expect(finalizedFeatures).toEqual([{ name: 'transaction.version', maxVersionLevel: 2, minVersionLevel: 2 }]);
    expect(supportedFeatures).toHaveLength(2);
  });

  test('wire W-43: the versions of level 2 are offered while it is finalized, and only then', async () => {
    const one = await listening();
    const offered = async (transactionVersion: number): Promise<string> => {
      one.broker.finalized = { transactionVersion, elrVersion: 1, metadataOffset: 1 };
      return rangeOf((await tableOf(one))['apiKeys'] as Struct[], 22);
    };
    expect([await offered(2), await offered(1), await offered(0), await offered(2)]).toEqual([
      ...['0-5', '0-4', '0-4', '0-5'],
    ]);
  });

  test.each(WIRE_APIS.map((api) => [api.name, api] as const))(
    'wire W-33: what is offered of %s is implemented, but for low ends that old clients look at',
    (_name, api) => {
      for (const range of [api.advertised, api.advertisedTv2, api.advertisedHints]) {
        if (range === undefined) continue;
        expect(range.max).toBeLessThanOrEqual(api.implemented.max);
        expect(range.max).toBeGreaterThanOrEqual(api.implemented.min);
      }
    },
  );
});

describe('as an older release', () => {
  const options = (asVersion: KafkaRelease | '') => ({ asVersion, leaderHints: true });

  test.each(KAFKA_RELEASES)('kafka.as.version %s: nothing above its own versions is offered', (release) => {
    const newest = newestVersions(release);
    const rows = advertised(WIRE_APIS, { transactionVersion: 2 }, options(release));
    const all = advertised(WIRE_APIS, { transactionVersion: 2 }, options(''));
    if (newest === undefined) return expect(rows).toEqual(all);
    for (const { key, advertised: range } of rows) {
      const ours = WIRE_APIS.find((api) => api.key === key) as ServedApi;
      expect(range.max).toBeLessThanOrEqual(newest.get(key)!);
      expect(range.max).toBeGreaterThanOrEqual(ours.implemented.min);
      expect(range.min).toBe(ours.advertised.min);
    }
    const left = all.filter(({ key }) => !rows.some((row) => row.key === key));
    for (const { key, advertised: range } of left) expect(newest.get(key) ?? -1).toBeLessThan(range.min);
  });

  test('kafka.as.version 2.8: the versions of that release, ApiVersions 4 is unknown, and no features', async () => {
    const one = await listening({ 'kafka.as.version': '2.8', 'transaction.version': 0 });
    const body = await tableOf(one);
    const table = body['apiKeys'] as Struct[];
    expect([0, 1, 2, 3, 18, 22].map((key) => rangeOf(table, key))).toEqual([
      ...['0-9', '0-12', '0-6', '0-11', '0-3', '0-4'],
    ]);
    expect(Object.keys(body).sort()).toEqual(['apiKeys', 'errorCode', 'throttleTimeMs']);
    const client = one.client();
    client.send(request(API_VERSIONS, 4, DEMO));
    expect(response(await client.receive(), API_VERSIONS, 0).body).toEqual({
      ...{ errorCode: 35, apiKeys: [{ apiKey: 18, minVersion: 0, maxVersion: 3 }] },
    });
  });

  test('kafka.as.version: a release that is not known, and one without transaction.version 2, are refused in words', () => {
    expect(() => nodeConfig({ 'kafka.as.version': '2.7' })).toThrow(/kafka.as.version is one of .*"2.8".*not "2.7"/);
    expect(() => nodeConfig({ 'kafka.as.version': '3.9' })).toThrow(
      new ConfigError('kafka.as.version 3.9 has no transaction.version 2: set transaction.version=0'),
    );
    expect(nodeConfig({ 'kafka.as.version': '4.0' })['transaction.version']).toBe(2);
  });
});
