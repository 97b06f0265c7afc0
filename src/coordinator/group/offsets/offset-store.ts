// Holds the place of the offsets of one shard: no offset is kept, only whose they are is read, so that groups that exist by
// their offsets alone are found. The store proper replaces this file.
import { DecodeError, Reader } from '../../../base/field-reader.ts';
import type { RecordData } from '../../../log/encode-batch.ts';
import type { AppliedRecord, OffsetEnvironment, OffsetState } from '../contract.ts';

export class OffsetStore implements OffsetState {
  readonly environment: OffsetEnvironment;

  constructor(environment: OffsetEnvironment) {
    this.environment = environment;
  }

  apply({ key, value }: AppliedRecord): string | undefined {
    if (value === null) return undefined;
    try {
      const reader = new Reader(key, false);
      reader.int16();
      return reader.string();
    } catch (error) {
      if (error instanceof DecodeError || error instanceof RangeError) return undefined;
      throw error;
    }
  }

  endTransaction(): void {
    // Nothing is pending.
  }

  loaded(): void {
    // Nothing was read.
  }

  tombstones(): readonly RecordData[] {
    return [];
  }
}
