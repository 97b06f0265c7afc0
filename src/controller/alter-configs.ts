// Changes of the settings of topics (wire W-88), and of min.insync.replicas of the cluster (repl R-119): replaced as a whole,
// or edited one by one. Each resource of a request succeeds or fails as a whole. A setting takes effect where the metadata
// log is followed.
import type { TopicImage } from '../metadata/image.ts';
import { configRecord, removeConfigRecord } from '../metadata/records.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import { ConfigError, isListSetting, parseTopicConfigs, topicConfig } from '../protocol/config.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { AlteredConfigs, AlteredResource, ConfigChange } from '../protocol/generated/index.ts';
import type { Draft } from './draft.ts';
import { forgetEligible } from './forget-eligible.ts';
import { MIN_ISR } from './min-isr.ts';

interface Refusal {
  readonly error: ErrorName;
  readonly message: string;
}

/** Settings of a topic, or of the cluster, as text. */
type Settings = ReadonlyMap<string, string>;

/**
 * Decides AlterConfigs. With validateOnly everything is judged and nothing decided.
 *
 * Answers, in the order checked:
 * - `INVALID_REQUEST`: named twice, a setting named twice, no value, no such operation, of a broker what is fixed for its life.
 * - `UNKNOWN_TOPIC_OR_PARTITION`: there is no such topic.
 * - `INVALID_CONFIG`: no such setting, not a list that could be appended to, a value it does not accept, a value of one broker
 *   or none of the cluster while all have to go by the same.
 */
export function decideAlterConfigs(
  draft: Draft,
  { resources, validateOnly }: RequestOf<'AlterConfigs'>,
): ResponseOf<'AlterConfigs'> {
  const keys = resources.map(keyOf);
  return {
    resources: resources.map((resource): AlteredConfigs => {
      const { type, name } = resource;
      const key = keyOf(resource);
      const settings =
        keys.indexOf(key) === keys.lastIndexOf(key)
          ? judge(draft, resource)
          : refuse('INVALID_REQUEST', `the request names ${type} "${name}" more than once`);
      if ('error' in settings) return { type, name, error: settings.error, errorMessage: settings.message };
      if (!validateOnly) write(draft, type === 'topic' ? draft.image.topicNamed(name)! : clusterOf(draft), settings);
      return { type, name, error: 'NONE', errorMessage: '' };
    }),
  };
}

const keyOf = ({ type, name }: AlteredResource): string => `${type} ${name}`;

/** What the settings of all topics without their own are kept as. */
function clusterOf({ image }: Draft): Pick<TopicImage, 'name' | 'configs'> {
  return { name: '', configs: image.clusterConfigs };
}

/** The settings that a topic, or the cluster, will have. */
function judge(draft: Draft, resource: AlteredResource): Settings | Refusal {
  const { type, name, changes, replace } = resource;
  const names = changes.map((change) => change.name);
  const twice = names.find((each, at) => names.indexOf(each) !== at);
  if (twice !== undefined) return refuse('INVALID_REQUEST', `setting "${twice}" is named more than once`);
  const fixed = type === 'topic' ? undefined : brokerProblem(resource, draft.image.hasElr);
  if (fixed !== undefined) return refuse('INVALID_REQUEST', fixed);
  for (const change of changes) {
    const problem = changeProblem(change);
    if (problem !== undefined) return refuse('INVALID_REQUEST', problem);
  }
  const differing = type === 'topic' || !draft.image.hasElr ? undefined : differenceProblem(resource);
  if (differing !== undefined) return refuse('INVALID_CONFIG', differing);
  const of = type === 'topic' ? draft.image.topicNamed(name) : clusterOf(draft);
  if (of === undefined) return refuse('UNKNOWN_TOPIC_OR_PARTITION', `no topic "${name}"`);
  try {
    const defaults = new Map(
      Object.entries(topicConfig(draft.config, new Map())).map(([setting, value]) => [setting, String(value)]),
    );
    const edited = changes.reduce(
      (settings, change) => edit(settings, change, defaults),
      replace ? new Map<string, string>() : new Map(of.configs),
    );
    return new Map([...parseTopicConfigs(edited)].map(([setting, value]) => [setting, String(value)]));
  } catch (error) {
    if (error instanceof ConfigError) return refuse('INVALID_CONFIG', error.message);
    throw error;
  }
}

/** Of brokers all is fixed for their lives, but for what holds for the whole cluster. */
function brokerProblem({ type, name, changes }: AlteredResource, hasElr: boolean): string | undefined {
  const isMinIsr = changes.length > 0 && changes.every((change) => change.name === MIN_ISR);
  if (type === 'broker' && isMinIsr && (name === '' || hasElr)) return undefined;
  const whose = type === 'broker' && name === '' ? 'all brokers' : `a ${type}`;
  return `settings of ${whose} cannot be changed while it runs; those of topics can, and ${MIN_ISR} of all brokers`;
}

/** Repl R-119: with eligible leader replicas everybody has to mean the same by it. */
function differenceProblem({ name, changes }: AlteredResource): string | undefined {
  if (name !== '') {
    return `${MIN_ISR} of broker ${name} alone cannot be set while eligible leader replicas are on: set it for all brokers`;
  }
  if (changes.every(({ operation }) => operation !== 'DELETE')) return undefined;
  return `${MIN_ISR} of the cluster cannot be removed while eligible leader replicas are on: set it to 1`;
}

function changeProblem({ name, operation, hasValue }: ConfigChange): string | undefined {
  if (!['SET', 'DELETE', 'APPEND', 'SUBTRACT'].includes(operation)) return `there is no operation "${operation}"`;
  return hasValue || operation === 'DELETE' ? undefined : `setting "${name}" has no value`;
}

/** Appending to or subtracting from what is not set begins with the default. Throws ConfigError. */
function edit(settings: Map<string, string>, change: ConfigChange, defaults: Settings): Map<string, string> {
  const { name, operation, value } = change;
  if (operation === 'DELETE') {
    parseTopicConfigs([[name, defaults.get(name)]]); // Throws if there is no such setting.
    settings.delete(name);
  } else if (operation === 'SET') settings.set(name, value);
  else settings.set(name, listEdited(settings.get(name), change, defaults));
  return settings;
}

function listEdited(current: string | undefined, change: ConfigChange, defaults: Settings): string {
  const { name, operation, value } = change;
  if (!isListSetting(name)) throw new ConfigError(`${name} is not a list: it can be set, not appended to`);
  const before = elements(current ?? defaults.get(name)!);
  const given = elements(value);
  const after =
    operation === 'APPEND'
      ? [...before, ...given.filter((element) => !before.includes(element))]
      : before.filter((element) => !given.includes(element));
  return after.join(',');
}

function elements(list: string): string[] {
  return list
    .split(',')
    .map((element) => element.trim())
    .filter((element) => element !== '');
}

/** Only what differs is written. */
function write(draft: Draft, { name, configs }: Pick<TopicImage, 'name' | 'configs'>, settings: Settings): void {
  for (const setting of configs.keys()) if (!settings.has(setting)) draft.add(removeConfigRecord(name, setting));
  for (const [setting, value] of settings) {
    if (configs.get(setting) !== value) draft.add(configRecord(name, setting, value));
  }
  if (draft.image.hasElr && configs.get(MIN_ISR) !== settings.get(MIN_ISR)) forgetEligible(draft, name);
}

function refuse(error: ErrorName, message: string): Refusal {
  return { error, message };
}
