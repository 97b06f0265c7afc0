// The plan of a run beside others, on a cluster that has topics, transactional ids and groups already: those of the run get
// a prefix, wherever the plan names one. Clients, faults, values and what people wrote keep their words.
import { isInternalTopic } from '../../protocol/topic-name.ts';
import type { RunPlan } from '../plan.ts';

/** Keys whose texts are names of topics, transactional ids or groups; and fields of filters. */
const NAMED: ReadonlySet<string> = new Set(['topic', 'topics', 'transactionalId', 'group']);
/** Keys below which nothing is a name: settings. */
const OPAQUE: ReadonlySet<string> = new Set(['config']);
/** Of a client that copies: from one topic to another. Elsewhere they are nodes, offsets, moments. */
const COPIED: ReadonlySet<string> = new Set(['from', 'to']);

type Fields = Readonly<Record<string, unknown>>;

/** The same run under other names. Topics of the cluster itself keep theirs. */
export function renamed(plan: RunPlan, prefix: string): RunPlan {
  const topics = plan.topics.map((topic) => ({ ...topic, name: prefix + topic.name }));
  const { clients, faults, expectations } = plan;
  return { ...plan, ...(renamedFields({ clients, faults, expectations }, prefix) as object), topics };
}

function renamedFields(fields: Fields, prefix: string): Fields {
  if (typeof fields['field'] === 'string' && Array.isArray(fields['values']))
    return {
      ...fields,
      values: NAMED.has(fields['field']) ? renamedAt('topic', fields['values'], prefix) : fields['values'],
    };
  const { kind } = fields;
  const isName = (key: string): boolean =>
    NAMED.has(key) || (kind === 'copy' && COPIED.has(key)) || (kind === 'coordinator' && key === 'id');
  const rename = ([key, value]: [string, unknown]): [string, unknown] => {
    if (OPAQUE.has(key)) return [key, value];
    return [key, renamedAt(isName(key) ? 'topic' : key, value, prefix)];
  };
  return Object.fromEntries(Object.entries(fields).map(rename));
}

function renamedAt(key: string, value: unknown, prefix: string): unknown {
  if (typeof value === 'string') return renamedText(key, value, prefix);
  if (Array.isArray(value)) return value.map((each) => renamedAt(key, each, prefix));
  if (value instanceof Map) return new Map([...value].map(([at, each]) => [at, renamedAt('', each, prefix)]));
  return typeof value === 'object' && value !== null ? renamedFields(value as Fields, prefix) : value;
}

function renamedText(key: string, text: string, prefix: string): string {
  if (key === 'topic') return isInternalTopic(text) ? text : prefix + text;
  // "orders-0": a partition as findings and markers name it.
  return key === 'partition' && /-\d+$/.test(text) && !text.startsWith('__') ? prefix + text : text;
}
