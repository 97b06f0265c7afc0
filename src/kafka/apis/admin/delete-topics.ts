// DeleteTopics (key 20), versions 1-6: decided by the controller, whichever broker is asked (wire W-77, W-79).
//
// Behaviour: an entry that has both a name and an id, or neither, is refused here; the rest of the request goes on.
// Versions: 3 may answer TOPIC_DELETION_DISABLED (below: INVALID_REQUEST); 4 compact forms; 5 error messages; 6 by id.
//
// Request: topics[]{name:str?=null; topicId:uuid} @6+; topicNames[] str @1-5; timeoutMs:i32
//
// Response: throttleTimeMs:i32; responses[]{name:str?6+; topicId:uuid @6+; errorCode:i16; errorMessage:str?=null @5+}
import { NO_ID } from '../../../base/field-reader.ts';
import type { ErrorName } from '../../../protocol/errors.ts';
import type { DeletedTopic } from '../../../protocol/generated/index.ts';
import { errorCode, respond, type WireApi } from '../api.ts';
import { messageOf, oncePer, UNANSWERED } from './refusals.ts';

export interface DeleteTopicsRequest {
  /** From v6 on. */
  readonly topics?: readonly TopicToDelete[];
  /** Below v6. */
  readonly topicNames?: readonly string[];
  readonly timeoutMs: number;
}
export interface TopicToDelete {
  readonly name: string | null;
  readonly topicId: string;
}

export interface DeleteTopicsResponse {
  readonly responses: readonly TopicDeleted[];
}
export interface TopicDeleted extends TopicToDelete {
  readonly errorCode: number;
  readonly errorMessage: string | null;
}

export const deleteTopics: WireApi<DeleteTopicsRequest, DeleteTopicsResponse> = {
  key: 20,
  name: 'DeleteTopics',
  advertised: { min: 1, max: 6 },
  implemented: { min: 1, max: 6 },
  flexibleFrom: 4,

  decode(reader, version) {
    const topics =
      version >= 6
        ? { topics: reader.structs(() => ({ name: reader.nullableString(), topicId: reader.uuid() })) }
        : { topicNames: reader.array(() => reader.string()) };
    const request = { ...topics, timeoutMs: reader.int32() };
    reader.tags();
    return request;
  },

  serve(request, call, answer) {
    const asked = toDelete(request);
    const byName = asked.filter((topic) => !isContradictory(topic) && topic.name !== null);
    const byId = asked.filter((topic) => !isContradictory(topic) && topic.name === null);
    const wanted = { names: byName.map(({ name }) => name ?? ''), topicIds: byId.map(({ topicId }) => topicId) };
    call.broker.admin.forward('DeleteTopics', wanted, request.timeoutMs, (outcome) =>
      answer(() => {
        const code = (error: ErrorName): number =>
          errorCode(error === 'TOPIC_DELETION_DISABLED' && call.version < 3 ? 'INVALID_REQUEST' : error);
        if (outcome.kind === 'unanswered') {
          const { error } = outcome;
          return respond({ responses: asked.map((topic) => refused(topic, code(error), UNANSWERED[error])) });
        }
        const deleted = [...byName, ...byId].map((topic, at) => [topic, outcome.response.topics[at]!] as const);
        const answers = new Map<TopicToDelete, DeletedTopic>(deleted);
        const responses = asked.map((topic) => {
          const result = answers.get(topic);
          if (result === undefined) return refused(topic, code('INVALID_REQUEST'), CONTRADICTORY);
          const { name, topicId, error, errorMessage } = result;
          // A topic that is named twice is told the id that it was named by.
          const id = error === 'INVALID_REQUEST' ? topic.topicId : topicId;
          const who = { name: name === '' ? null : name, topicId: id === '' ? NO_ID : id };
          return { ...who, errorCode: code(error), errorMessage: messageOf(error, errorMessage) };
        });
        return respond({
          responses: oncePer(responses, ({ name, errorMessage }) => (errorMessage === CONTRADICTORY ? null : name)),
        });
      }),
    );
    return undefined;
  },

  encode(writer, response, version) {
    writer.int32(0).structs(response.responses, (topic) => {
      writer.nullableString(topic.name);
      if (version >= 6) writer.uuid(topic.topicId);
      writer.int16(topic.errorCode);
      if (version >= 5) writer.nullableString(topic.errorMessage);
    });
    writer.tags();
  },

  refuse(request, code) {
    return { responses: toDelete(request).map((topic) => refused(topic, code, null)) };
  },
};

const CONTRADICTORY = 'a topic is named by its name or by its id, not both, nor neither';

function toDelete({ topics, topicNames = [] }: DeleteTopicsRequest): readonly TopicToDelete[] {
  return topics ?? topicNames.map((name) => ({ name, topicId: NO_ID }));
}

function isContradictory({ name, topicId }: TopicToDelete): boolean {
  return (name === null) === (topicId === NO_ID);
}

function refused({ name, topicId }: TopicToDelete, code: number, errorMessage: string | null): TopicDeleted {
  return { name, topicId, errorCode: code, errorMessage };
}
