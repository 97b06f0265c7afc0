// Records that are decided together and will be written as one atomic batch. Each is applied to the image of what is
// decided at once, so that the next decision sees it, as Kafka applies to memory first and answers after the commit
// (repl R-102). Writes nothing; metadata-log.ts does.
import type { Offset } from '../base/units.ts';
import type { MetadataImage, PartitionRegistration } from '../metadata/image.ts';
import type { NodeConfig } from '../protocol/config.ts';
import type { MetadataRecord } from '../protocol/generated/index.ts';
import type { Safeguard } from '../fault/safeguards.ts';
import type { ChangeTarget } from './partition-change.ts';
import { buildPartitionChange } from './partition-change.ts';
import { effectiveMinIsr } from './min-isr.ts';

/** A record and, for people, why it was written where the record itself does not say. */
export interface DraftedRecord {
  readonly record: MetadataRecord;
  readonly why?: string;
}

export class Draft {
  readonly #records: DraftedRecord[] = [];
  /** The cluster with everything decided so far, committed or not. */
  readonly image: MetadataImage;
  readonly config: NodeConfig;
  /** Whether a protection is on. */
  readonly safeguard: (name: Safeguard) => boolean;
  /** Where the first record of this draft will stand (repl R-87). */
  readonly baseOffset: Offset;

  constructor(image: MetadataImage, config: NodeConfig, safeguard: (name: Safeguard) => boolean) {
    this.image = image;
    this.config = config;
    this.safeguard = safeguard;
    this.baseOffset = image.endOffset;
  }

  get records(): readonly DraftedRecord[] {
    return this.#records;
  }

  /** Decides a record. */
  add(record: MetadataRecord, why?: string): void {
    this.image.apply(this.image.endOffset, record);
    this.#records.push(why === undefined ? { record } : { record, why });
  }

  /** Brings a partition to a target. False if it is there already and nothing was decided. */
  change(partition: PartitionRegistration, target: ChangeTarget): boolean {
    const { image, config, safeguard } = this;
    const hasElr = image.hasElr && safeguard('elect.elr');
    const record = buildPartitionChange(partition, target, {
      ...(hasElr ? { minIsr: effectiveMinIsr(image, config, partition.topicId) } : {}),
      cleanOnly: safeguard('elect.clean'),
      waitForAll: safeguard('reassign.waitAll'),
    });
    if (record !== undefined) this.add(record);
    return record !== undefined;
  }
}
