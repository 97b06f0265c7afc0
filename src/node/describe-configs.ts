// The settings of topics and of this broker with where each comes from (wire W-67, W-88). Changing them is the controller's.
import { CONFIG_KEYS, TOPIC_CONFIG_KEYS } from '../protocol/config.ts';
import type { ConfigKey, NodeConfig } from '../protocol/config.ts';
import type { ErrorName } from '../protocol/errors.ts';
import { topicNameProblem } from '../protocol/topic-name.ts';
import type { NodeContext } from './context.ts';

/** Where a value comes from: the topic itself, the cluster, the broker's configuration, or Kafka's default. */
export type ConfigSource = 'TOPIC' | 'DYNAMIC_DEFAULT_BROKER' | 'STATIC_BROKER' | 'DEFAULT';
/** How Kafka calls what a setting accepts. */
export type ConfigType = 'BOOLEAN' | 'STRING' | 'INT' | 'LONG' | 'DOUBLE' | 'LIST';

export interface ConfigValue {
  readonly name: string;
  readonly value: string;
  readonly source: ConfigSource;
}

export interface DescribedConfig extends ConfigValue {
  readonly readOnly: boolean;
  /** All values that it would have, the effective one first. */
  readonly synonyms: readonly ConfigValue[];
  readonly type: ConfigType;
  /** For people. */
  readonly documentation: string;
}

/** Whose settings. */
export interface ConfigResource {
  readonly type: 'topic' | 'broker';
  /** Of a broker its id as text; '' for what the cluster was told beside their own configuration. */
  readonly name: string;
}

export type DescribedConfigs =
  | { readonly error: 'NONE'; readonly configs: readonly DescribedConfig[] }
  | { readonly error: Exclude<ErrorName, 'NONE'>; readonly message: string };

/** Wire W-88. */
export function describeConfigs({ image, config, me }: NodeContext, { type, name }: ConfigResource): DescribedConfigs {
  if (type === 'topic') {
    const problem = topicNameProblem(name);
    if (problem !== undefined) return { error: 'INVALID_TOPIC_EXCEPTION', message: problem };
    const topic = image.topicNamed(name);
    if (topic === undefined) return { error: 'UNKNOWN_TOPIC_OR_PARTITION', message: `no topic "${name}"` };
    return { error: 'NONE', configs: describeTopicConfigs(config, topic.configs, image.clusterConfigs) };
  }
  if (name === '') return { error: 'NONE', configs: describeClusterConfigs(image.clusterConfigs) };
  if (name !== String(me)) {
    return { error: 'INVALID_REQUEST', message: `this is broker ${me}; "${name}" is to be asked itself` };
  }
  const keys = Object.entries(CONFIG_KEYS as Readonly<Record<string, ConfigKey>>);
  return {
    error: 'NONE',
    configs: keys.map(([key, about]) => describeBrokerConfig({ config, ofCluster: image.clusterConfigs }, key, about)),
  };
}

/** What was said to the cluster as a whole (repl R-119). */
function describeClusterConfigs(ofCluster: ReadonlyMap<string, string>): DescribedConfig[] {
  return [...ofCluster].map(([name, value]) => {
    const about = TOPIC_CONFIG_KEYS[name]!;
    const own: ConfigValue = { name, value, source: 'DYNAMIC_DEFAULT_BROKER' };
    return { ...own, readOnly: false, synonyms: [own], type: typeOf(name, about), documentation: about.meaning };
  });
}

/** The effective settings of a topic that has these of its own. */
export function describeTopicConfigs(
  config: NodeConfig,
  own: ReadonlyMap<string, string>,
  ofCluster: ReadonlyMap<string, string>,
): DescribedConfig[] {
  return Object.entries(CONFIG_KEYS as Readonly<Record<string, ConfigKey>>).flatMap(([brokerName, about]) => {
    const { topicName } = about;
    if (topicName === undefined) return [];
    const value = own.get(topicName);
    const ofTopic: ConfigValue[] = value === undefined ? [] : [{ name: topicName, value, source: 'TOPIC' }];
    const synonyms = [...ofTopic, ...brokerValues({ config, ofCluster }, brokerName, about)];
    const { source, value: effective } = synonyms[0]!;
    const documentation = TOPIC_CONFIG_KEYS[topicName]!.meaning;
    const rest = { readOnly: false, synonyms, type: typeOf(topicName, about), documentation };
    return [{ name: topicName, value: effective, source, ...rest }];
  });
}

/** What a broker goes by where a topic says nothing. */
interface Defaults {
  readonly config: NodeConfig;
  readonly ofCluster: ReadonlyMap<string, string>;
}

/** Fixed for the life of the process, but for what was said to the cluster. */
function describeBrokerConfig(config: Defaults, name: string, about: ConfigKey): DescribedConfig {
  const synonyms = brokerValues(config, name, about);
  const readOnly = synonyms[0]!.source !== 'DYNAMIC_DEFAULT_BROKER';
  return { ...synonyms[0]!, readOnly, synonyms, type: typeOf(name, about), documentation: about.meaning };
}

function brokerValues({ config, ofCluster }: Defaults, name: string, about: ConfigKey): ConfigValue[] {
  const told = ofCluster.get(about.topicName ?? '');
  const dynamic: ConfigValue[] = told === undefined ? [] : [{ name, value: told, source: 'DYNAMIC_DEFAULT_BROKER' }];
  const value = String(config[name as keyof NodeConfig]);
  const byDefault: ConfigValue = { name, value: String(about.default), source: 'DEFAULT' };
  const fixed: ConfigValue[] = value === byDefault.value ? [] : [{ name, value, source: 'STATIC_BROKER' }];
  return [...dynamic, ...fixed, byDefault];
}

/** Kafka's LONGs are times and what a whole partition may take; its INTs the rest. */
function typeOf(name: string, { type, list }: ConfigKey): ConfigType {
  if (type === 'bool') return 'BOOLEAN';
  if (type === 'number') return 'DOUBLE';
  if (type === 'string') return list === true ? 'LIST' : 'STRING';
  return /\.ms$|retention\.bytes$/.test(name) ? 'LONG' : 'INT';
}
