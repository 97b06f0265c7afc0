// Changes of the settings of topics (wire W-88): replaced as a whole, or edited one by one. Each resource of a request succeeds
// or fails as a whole. A setting takes effect where the metadata log is followed.
import type { TopicImage } from '../metadata/image.ts';
import { configRecord, removeConfigRecord } from '../metadata/records.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import { ConfigError, isListSetting, parseTopicConfigs, topicConfig } from '../protocol/config.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { AlteredConfigs, AlteredResource, ConfigChange } from '../protocol/generated/index.ts';
import type { Draft } from './draft.ts';

interface Refusal {
  readonly error: ErrorName;
  readonly message: string;
}

/** Settings of a topic as text. */
type Settings = ReadonlyMap<string, string>;

/**
 * Decides AlterConfigs. With validateOnly everything is judged and nothing decided.
 *
 * Answers, in the order checked:
 * - `INVALID_REQUEST`: named twice, a setting named twice, no topic, no value, no such operation.
 * - `UNKNOWN_TOPIC_OR_PARTITION`: there is no such topic.
 * - `INVALID_CONFIG`: no such setting, not a list that could be appended to, a value it does not accept.
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
      if (!validateOnly) write(draft, draft.image.topicNamed(name)!, settings);
      return { type, name, error: 'NONE', errorMessage: '' };
    }),
  };
}

const keyOf = ({ type, name }: AlteredResource): string => `${type} ${name}`;

/** The settings that a topic will have. */
function judge(draft: Draft, resource: AlteredResource): Settings | Refusal {
  const { type, name, changes, replace } = resource;
  const names = changes.map((change) => change.name);
  const twice = names.find((each, at) => names.indexOf(each) !== at);
  if (twice !== undefined) return refuse('INVALID_REQUEST', `setting "${twice}" is named more than once`);
  if (type !== 'topic') {
    return refuse('INVALID_REQUEST', `settings of a ${type} cannot be changed while it runs; those of topics can`);
  }
  for (const change of changes) {
    const problem = changeProblem(change);
    if (problem !== undefined) return refuse('INVALID_REQUEST', problem);
  }
  const topic = draft.image.topicNamed(name);
  if (topic === undefined) return refuse('UNKNOWN_TOPIC_OR_PARTITION', `no topic "${name}"`);
  try {
    const defaults = new Map(
      Object.entries(topicConfig(draft.config, new Map())).map(([setting, value]) => [setting, String(value)]),
    );
    const edited = changes.reduce(
      (settings, change) => edit(settings, change, defaults),
      replace ? new Map<string, string>() : new Map(topic.configs),
    );
    return new Map([...parseTopicConfigs(edited)].map(([setting, value]) => [setting, String(value)]));
  } catch (error) {
    if (error instanceof ConfigError) return refuse('INVALID_CONFIG', error.message);
    throw error;
  }
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
function write(draft: Draft, { name, configs }: TopicImage, settings: Settings): void {
  for (const setting of configs.keys()) if (!settings.has(setting)) draft.add(removeConfigRecord(name, setting));
  for (const [setting, value] of settings) {
    if (configs.get(setting) !== value) draft.add(configRecord(name, setting, value));
  }
}

function refuse(error: ErrorName, message: string): Refusal {
  return { error, message };
}
