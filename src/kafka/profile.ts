// Which versions a broker advertises, and what it says of features (wire section 3, W-19, W-20): one table for clusters of
// transaction.version 2, one for those below, either cut to an older release on request. Pure: the same on every broker of
// a cluster (wire W-18), because all of them ask the same metadata.
import type { ClusterFeatures } from '../node/api.ts';
import type { NodeConfig } from '../protocol/config.ts';
import { newestVersions, type KafkaRelease } from '../protocol/kafka-releases.ts';
import type { ApiRange, VersionRange } from './apis/api.ts';

/** What an API may be advertised with. */
export interface Advertisable extends ApiRange {
  /** Under transaction.version 2, if that differs. */
  readonly advertisedTv2?: VersionRange;
  /** With `kafka.leader.hints`, if that differs (wire W-62). */
  readonly advertisedHints?: VersionRange;
}

/** What the operator chose. */
export interface ProfileOptions {
  /** `kafka.as.version`: the release to look like; '' for none. */
  readonly asVersion: KafkaRelease | '';
  /** `kafka.leader.hints`: whether answers name the leader where a client missed it (KIP-951, wire W-62). */
  readonly leaderHints: boolean;
}

export function profileOptions(config: NodeConfig): ProfileOptions {
  return {
    asVersion: config['kafka.as.version'] as ProfileOptions['asVersion'],
    leaderHints: config['kafka.leader.hints'],
  };
}

/** What ApiVersions says of features, from v3 on. */
export interface FeatureTags {
  readonly supportedFeatures: readonly {
    readonly name: string;
    readonly minVersion: number;
    readonly maxVersion: number;
  }[];
  readonly finalizedFeaturesEpoch: number;
  readonly finalizedFeatures: readonly {
    readonly name: string;
    readonly maxVersionLevel: number;
    readonly minVersionLevel: number;
  }[];
}

/** Nothing to say of features. */
export const NO_FEATURES: FeatureTags = { supportedFeatures: [], finalizedFeaturesEpoch: -1, finalizedFeatures: [] };

/** The rows that ApiVersions reports, in the order of `apis`. APIs that the release of `asVersion` lacks are left out. */
export function advertised(
  apis: readonly Advertisable[],
  { transactionVersion }: Pick<ClusterFeatures, 'transactionVersion'>,
  { asVersion, leaderHints }: ProfileOptions,
): readonly ApiRange[] {
  const newest = asVersion === '' ? undefined : newestVersions(asVersion);
  return apis.flatMap((api): ApiRange[] => {
    // An older release has neither level of the feature: its own versions are the limit.
    const wide =
      transactionVersion >= 2 || newest !== undefined ? (api.advertisedTv2 ?? api.advertised) : api.advertised;
    const { min, max } = leaderHints ? (api.advertisedHints ?? wide) : wide;
    const limit = newest === undefined ? max : newest.get(api.key);
    if (limit === undefined || limit < min) return [];
    return [{ key: api.key, advertised: { min, max: Math.min(max, limit) } }];
  });
}

/**
 * Wire W-19: only a cluster of level 2 has anything to say, as long as it does not look like a release before 4.0. W-20: a
 * feature whose lowest level is 0 is listed as supported from v4 on; one whose level is 0 is not finalized.
 */
export function featureTags(
  { transactionVersion, elrVersion, metadataOffset }: ClusterFeatures,
  { asVersion }: ProfileOptions,
  version: number,
): FeatureTags {
  const isOld = asVersion !== '' && newestVersions(asVersion) !== undefined;
  if (transactionVersion < 2 || isOld) return NO_FEATURES;
  const features = [
    { name: 'eligible.leader.replicas.version', max: 1, level: elrVersion },
    { name: 'transaction.version', max: 2, level: transactionVersion },
  ];
  const supported = features.map(({ name, max }) => ({ name, minVersion: 0, maxVersion: max }));
  const finalized = features.filter(({ level }) => level > 0);
  return {
    supportedFeatures: version < 4 ? [] : supported,
    finalizedFeaturesEpoch: metadataOffset,
    finalizedFeatures: finalized.map(({ name, level }) => ({ name, maxVersionLevel: level, minVersionLevel: level })),
  };
}
