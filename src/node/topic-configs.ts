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
    if (configs === undefined) return topicConfig(this.#node, new Map());
    const parsed = this.#parsed.get(topicId);
    if (parsed?.configs === configs) return parsed.effective;
    const effective = topicConfig(this.#node, parseTopicConfigs(configs));
    this.#parsed.set(topicId, { configs, effective });
    return effective;
  }

  /** The topic is gone from the image. */
  forget(topicId: TopicId): void {
    this.#parsed.delete(topicId);
  }
}
