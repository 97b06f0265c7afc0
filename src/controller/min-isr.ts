// The min ISR that the controller reckons with (repl R-98). Brokers have their own figure, which counts the replicas of the
// partition itself (repl R-11).
import type { TopicId } from '../base/units.ts';
import type { MetadataImage } from '../metadata/image.ts';
import type { NodeConfig } from '../protocol/config.ts';

/** The setting that eligible leader replicas hang on: it is the same for everybody (repl R-119). */
export const MIN_ISR = 'min.insync.replicas';

/** The topic's value, else the cluster's, else the controller's own; at most the replicas of partition 0. */
export function effectiveMinIsr(image: MetadataImage, config: NodeConfig, topicId: TopicId): number {
  const topic = image.topics.get(topicId);
  const configured = Number(topic?.configs.get(MIN_ISR) ?? image.clusterConfigs.get(MIN_ISR) ?? config[MIN_ISR]);
  return Math.min(configured, topic?.partitions[0]?.replicas.length ?? configured);
}
