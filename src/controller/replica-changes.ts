// What the coming and going of brokers does to partitions: taking one out of every ISR and leadership, and finding
// leaders for partitions that have none (repl ). Decides; whoever calls it commits.
import type { NodeId } from '../base/units.ts';
import { NO_LEADER } from '../base/units.ts';
import type { BrokerRegistration, MetadataImage, PartitionRegistration, TopicImage } from '../metadata/image.ts';
import { isActive } from '../metadata/image.ts';
import type { ChangeReason } from '../metadata/records.ts';
import { registrationChangeRecord } from '../metadata/records.ts';
import type { NodeConfig } from '../protocol/config.ts';
import type { Draft } from './draft.ts';
import type { Election } from './election.ts';

const UNCLEAN_SETTING = 'unclean.leader.election.enable';

/** Whether a topic lets the controller elect uncleanly on its own (repl R-97). */
export function isUncleanAllowed(topic: TopicImage, config: NodeConfig): boolean {
  return (topic.configs.get(UNCLEAN_SETTING) ?? String(config[UNCLEAN_SETTING])) === 'true';
}

/** The election that the controller holds of its own accord for a partition of `topicId` (repl R-97). */
export function automaticElection(draft: Draft, topicId: string): Election {
  const topic = draft.image.topics.get(topicId);
  return { kind: topic !== undefined && isUncleanAllowed(topic, draft.config) ? 'unclean' : 'online' };
}

/** Whether `broker` may lead, as the image has it now (repl R-95). */
export function acceptableIn(image: MetadataImage): (broker: NodeId) => boolean {
  return (broker) => isActive(image.brokers.get(broker));
}

/** Partitions that `broker` leads. A fact about the image; used by controlled shutdown (repl R-90). */
export function leadsAny(image: MetadataImage, broker: NodeId): boolean {
  for (const partition of image.partitions()) if (partition.leader === broker) return true;
  return false;
}

/** The partitions that match now; changes made while going through them do not disturb it. */
export function partitionsWhere(
  image: MetadataImage,
  matches: (partition: PartitionRegistration) => boolean,
): PartitionRegistration[] {
  return [...image.partitions()].filter(matches);
}

/**
 * Takes a broker out of every ISR and leadership (repl R-92). `forGood`: it is eligible no more either, because it may have
 * lost what it held, or is no broker any longer (repl ).
 */
export function removeFromIsrs(draft: Draft, broker: NodeId, reason: ChangeReason, forGood = false): void {
  const others = (id: NodeId): boolean => id !== broker && isActive(draft.image.brokers.get(id));
  const isIn = ({ isr, elr }: PartitionRegistration): boolean =>
    isr.includes(broker) || (forGood && elr.includes(broker));
  for (const partition of partitionsWhere(draft.image, isIn)) {
    draft.change(partition, {
      isr: partition.isr.filter((id) => id !== broker),
      ...(forGood ? { ineligible: broker } : {}),
      election: automaticElection(draft, partition.topicId),
      acceptable: others,
      reason,
    });
  }
}

/** Fences a broker: it leaves its partitions first, then is marked (repl R-91). A fenced one stays as it is. */
export function fenceBroker(draft: Draft, broker: BrokerRegistration, reason: ChangeReason, why: string): void {
  if (broker.fenced) return;
  removeFromIsrs(draft, broker.id, reason);
  draft.add(registrationChangeRecord(broker, { fenced: true }), why);
}

/** Unfences a broker and lets it lead what has no leader. It joins no ISR by this (repl R-93). */
export function unfenceBroker(draft: Draft, broker: BrokerRegistration): void {
  draft.add(registrationChangeRecord(broker, { fenced: false }));
  for (const partition of partitionsWhere(draft.image, ({ leader }) => leader === NO_LEADER)) {
    draft.change(partition, {
      election: automaticElection(draft, partition.topicId),
      acceptable: acceptableIn(draft.image),
      reason: 'unfenced',
    });
  }
}

/** Begins a controlled shutdown: no new leadership, out of every ISR (repl R-94). */
export function enterControlledShutdown(draft: Draft, broker: BrokerRegistration): void {
  if (!broker.inControlledShutdown) draft.add(registrationChangeRecord(broker, { inControlledShutdown: true }));
  removeFromIsrs(draft, broker.id, 'controlled-shutdown');
}
