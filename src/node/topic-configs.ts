// The effective settings of topics: their own, else the cluster's, else this node's; parsed once for each version of them.
import type { TopicId } from '../base/units.ts';
import type { MetadataImage } from '../metadata/image.ts';
import { parseTopicConfigs, topicConfig } from '../protocol/config.ts';
import type { NodeConfig, TopicConfig } from '../protocol/config.ts';

interface Parsed {
  readonly configs: ReadonlyMap<string, string>;
  readonly ofCluster: ReadonlyMap<string, string>;
  readonly effective: TopicConfig;
}

export class TopicConfigs {
  readonly #node: NodeConfig;
  readonly #image: MetadataImage;
  readonly #parsed = new Map<TopicId, Parsed>();

  constructor(node: NodeConfig, image: MetadataImage) {
    this.#node = node;
    this.#image = image;
  }

  /** Of a topic in the image; as they last were until it is forgotten, so that no promise is weakened on its way out. */
  of(topicId: TopicId): TopicConfig {
    const parsed = this.#parsed.get(topicId);
    const configs = this.#image.topics.get(topicId)?.configs;
    const ofCluster = this.#image.clusterConfigs;
    if (configs === undefined) return parsed?.effective ?? topicConfig(this.#node, parseTopicConfigs(ofCluster));
    if (parsed?.configs === configs && parsed.ofCluster === ofCluster) return parsed.effective;
    const effective = topicConfig(this.#node, parseTopicConfigs([...ofCluster, ...configs]));
    this.#parsed.set(topicId, { configs, ofCluster, effective });
    return effective;
  }

  /** The topic is gone, and so are its replicas here. */
  forget(topicId: TopicId): void {
    this.#parsed.delete(topicId);
  }
}
