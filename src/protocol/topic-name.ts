// Which topic names are accepted, which collide, and which belong to the cluster itself (wire W-38, W-78).

const LENGTH_MAX = 249;
const INTERNAL: readonly string[] = ['__consumer_offsets', '__transaction_state', '__share_group_state'];

/** Why a topic name is refused (INVALID_TOPIC_EXCEPTION), as a sentence; undefined if it is fine. Wire W-38. */
export function topicNameProblem(name: string): string | undefined {
  if (name === '') return 'a topic name must not be empty';
  if (name === '.' || name === '..') return `a topic name must not be "${name}"`;
  if (name.length > LENGTH_MAX) return `a topic name has at most ${LENGTH_MAX} characters; this one has ${name.length}`;
  if (!/^[a-zA-Z0-9._-]+$/.test(name)) {
    return `topic name ${JSON.stringify(name)} may contain only letters, digits, ".", "_" and "-"`;
  }
  return undefined;
}

/** Two different names with equal keys collide: '.' equals '_' (wire W-78). */
export function topicCollisionKey(name: string): string {
  return name.replaceAll('.', '_');
}

/** Whether a topic belongs to the cluster itself (wire W-38). */
export function isInternalTopic(name: string): boolean {
  return INTERNAL.includes(name);
}
