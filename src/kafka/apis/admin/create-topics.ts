// CreateTopics (key 19), versions 2-7: decided by the controller, whichever broker is asked (wire W-77, W-78).
//
// Behaviour: a topic with a setting without a value, or whose manual assignment does not name partitions 0, 1, 2, … once each,
// is refused behind its name, as Kafka does. Configs returned are the effective ones.
// Versions: 4 -1 for the cluster's defaults, which is accepted below too; 5 compact forms, numbers and configs in the
// response; 7 topic ids.
//
// Request: topics[]{name:str; numPartitions:i32; replicationFactor:i16; assignments[]{partitionIndex:i32; brokerIds[] i32};
// configs[]{name:str; value:str?}}; timeoutMs:i32=60000; validateOnly:bool
//
// Response: throttleTimeMs:i32; topics[]{name:str; topicId:uuid @7+; errorCode:i16; errorMessage:str?;
// topicConfigErrorCode:i16 #tag0 @5+; numPartitions:i32=-1 @5+; replicationFactor:i16=-1 @5+; configs[]?{name:str;
// value:str?; readOnly:bool; configSource:i8=-1; isSensitive:bool} @5+}
import { NO_ID } from '../../../base/field-reader.ts';
import type { ErrorName } from '../../../protocol/errors.ts';
import type { CreatedTopic, NewTopic } from '../../../protocol/generated/index.ts';
import { errorCode, respond, type Call, type WireApi } from '../api.ts';
import { configSource } from './config-codes.ts';
import { messageOf, oncePer, UNANSWERED } from './refusals.ts';

export interface CreateTopicsRequest {
  readonly topics: readonly TopicToCreate[];
  readonly timeoutMs: number;
  readonly validateOnly: boolean;
}
export interface TopicToCreate {
  readonly name: string;
  readonly numPartitions: number;
  readonly replicationFactor: number;
  readonly assignments: readonly { readonly partitionIndex: number; readonly brokerIds: readonly number[] }[];
  readonly configs: readonly { readonly name: string; readonly value: string | null }[];
}

export interface CreateTopicsResponse {
  readonly topics: readonly TopicCreated[];
}
export interface TopicCreated {
  readonly name: string;
  readonly topicId: string;
  readonly errorCode: number;
  readonly errorMessage: string | null;
  readonly numPartitions: number;
  readonly replicationFactor: number;
  /** Null only in errors. */
  readonly configs: readonly CreatedConfig[] | null;
}
export interface CreatedConfig {
  readonly name: string;
  readonly value: string | null;
  readonly readOnly: boolean;
  readonly configSource: number;
  readonly isSensitive: boolean;
}

export const createTopics: WireApi<CreateTopicsRequest, CreateTopicsResponse> = {
  key: 19,
  name: 'CreateTopics',
  advertised: { min: 2, max: 7 },
  implemented: { min: 2, max: 7 },
  flexibleFrom: 5,

  decode(reader) {
    const request = {
      topics: reader.structs(() => ({
        name: reader.string(),
        numPartitions: reader.int32(),
        replicationFactor: reader.int16(),
        assignments: reader.structs(() => ({
          partitionIndex: reader.int32(),
          brokerIds: reader.array(() => reader.int32()),
        })),
        configs: reader.structs(() => ({ name: reader.string(), value: reader.nullableString() })),
      })),
      timeoutMs: reader.int32(),
      validateOnly: reader.bool(),
    };
    reader.tags();
    return request;
  },

  serve(request, call, answer) {
    const { topics, validateOnly, timeoutMs } = request;
    const wanted = topics.map(toController);
    call.broker.admin.forward('CreateTopics', { topics: wanted, validateOnly }, timeoutMs, (outcome) =>
      answer(() => {
        if (outcome.kind === 'unanswered') return respond(refuseAll(topics, outcome.error));
        const answers = outcome.response.topics.map((topic) => fromController(topic, call));
        return respond({ topics: oncePer(answers, ({ name }) => name) });
      }),
    );
    return undefined;
  },

  encode(writer, response, version) {
    writer.int32(0).structs(response.topics, (topic) => {
      writer.string(topic.name);
      if (version >= 7) writer.uuid(topic.topicId);
      writer.int16(topic.errorCode).nullableString(topic.errorMessage);
      if (version < 5) return;
      writer.int32(topic.numPartitions).int16(topic.replicationFactor);
      writer.nullableStructs(topic.configs, (config) => {
        writer.string(config.name).nullableString(config.value).bool(config.readOnly);
        writer.int8(config.configSource).bool(config.isSensitive);
      });
    });
    writer.tags();
  },

  refuse({ topics }, code) {
    return { topics: topics.map(({ name }) => ({ ...NOTHING, name, errorCode: code, errorMessage: null })) };
  },
};

const NOTHING = { topicId: NO_ID, numPartitions: -1, replicationFactor: -1, configs: [] };

/** What is wrong with it is the controller's to judge, null values and partitions out of order as well (wire W-78). */
function toController(topic: TopicToCreate): NewTopic {
  const { name, numPartitions, replicationFactor, configs } = topic;
  const unset = configs.filter(({ value }) => value === null).map((config) => config.name);
  const assignments = [...topic.assignments].sort((a, b) => a.partitionIndex - b.partitionIndex);
  const isWhole = assignments.every(({ partitionIndex }, at) => partitionIndex === at);
  return {
    ...{ name, numPartitions, replicationFactor },
    assignments: assignments.map(({ brokerIds }) => ({ ids: [...brokerIds] })),
    configs: configs.map((config) => ({ name: config.name, value: config.value ?? '' })),
    ...(unset.length > 0 ? { unsetConfigs: unset.join(', ') } : isWhole ? {} : { misnumbered: true }),
  };
}

function fromController(topic: CreatedTopic, call: Call): TopicCreated {
  const { name, topicId, error, errorMessage, numPartitions, replicationFactor } = topic;
  if (error !== 'NONE') return refusal(name, error, errorMessage);
  const own = new Map(topic.configs.map((config) => [config.name, config.value]));
  const configs = call.broker.admin.topicConfigs(own).map(({ name: setting, value, readOnly, source }) => ({
    ...{ name: setting, value, readOnly, configSource: configSource(source), isSensitive: false },
  }));
  const created = { name, topicId: topicId === '' ? NO_ID : topicId, errorCode: errorCode('NONE'), errorMessage: null };
  return { ...created, numPartitions, replicationFactor, configs };
}

function refusal(name: string, error: ErrorName, message: string): TopicCreated {
  return { ...NOTHING, name, errorCode: errorCode(error), errorMessage: messageOf(error, message) };
}

function refuseAll(topics: readonly TopicToCreate[], error: keyof typeof UNANSWERED): CreateTopicsResponse {
  return { topics: topics.map(({ name }) => refusal(name, error, UNANSWERED[error])) };
}
