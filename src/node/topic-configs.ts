// The effective settings of topics, parsed once for each version of a topic's own settings.
import type { TopicId } from '../base/units.ts';
import type { MetadataImage } from '../metadata/image.ts';
import { parseTopicConfigs, topicConfig } from '../protocol/config.ts';
import type { NodeConfig, TopicConfig } from '../protocol/config.ts';

interface Parsed {
  readonly configs: ReadonlyMap<string, string>;
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

  /** Of a topic in the image; the node's defaults if it is gone. */
  of(topicId: TopicId): TopicConfig {
    const configs = this.#image.topics.get(topicId)?.configs;
    const parsed = this.#parsed.get(topicId);
    if (configs !== undefined && parsed?.configs === configs) return parsed.effective;
    if (configs === undefined) {
      this.#parsed.delete(topicId);
      return topicConfig(this.#node, new Map());
    }
    const effective = topicConfig(this.#node, parseTopicConfigs(configs));
    this.#parsed.set(topicId, { configs, effective });
    return effective;
  }
}
