// The partitions of a request about offsets, each with what becomes of it: those that do not exist are refused at the door,
// the rest goes on (wire G-31).
import type { TopicId } from '../../../base/units.ts';
import type { MetadataImage } from '../../../metadata/image.ts';
import type { CommittedOutcome, NamedPartition } from '../../../protocol/generated/index.ts';
import type { ErrorName } from '../../../protocol/errors.ts';

/** A partition that has not been refused. */
export interface OpenPartition<P> {
  readonly asked: P;
  /** The topic that has the name as the request arrives (wire G-9). */
  readonly topicId: TopicId;
  /** Refuses it, and no other. */
  refuse(error: ErrorName): void;
}

export class RequestPartitions<P extends NamedPartition> {
  readonly #asked: readonly P[];
  /** In request order; undefined: as the whole request. */
  readonly #errors: (ErrorName | undefined)[];
  readonly #topicIds: readonly TopicId[];

  constructor(asked: readonly P[], image: MetadataImage) {
    this.#asked = asked;
    const topics = asked.map(({ topic }) => image.topicNamed(topic));
    this.#topicIds = topics.map((topic) => topic?.topicId ?? '');
    this.#errors = asked.map(({ partition }, i) =>
      topics[i]?.partitions[partition] === undefined ? 'UNKNOWN_TOPIC_OR_PARTITION' : undefined,
    );
  }

  /** Those that have not been refused, in request order. */
  get open(): readonly OpenPartition<P>[] {
    return this.#asked.flatMap((asked, i) => {
      if (this.#errors[i] !== undefined) return [];
      const refuse = (error: ErrorName): void => void (this.#errors[i] = error);
      return [{ asked, topicId: this.#topicIds[i]!, refuse }];
    });
  }

  /** The answer, if the request as a whole ended so. */
  outcomes(error: ErrorName): CommittedOutcome[] {
    return this.#asked.map(({ topic, partition }, i) => ({ topic, partition, error: this.#errors[i] ?? error }));
  }
}
