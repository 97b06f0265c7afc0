// txn T-69, wire G-47: whatever was committed, decided and deleted in whatever order, a reload finds the same from the log
// alone, and both agree with a dumb model that keeps every record.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OffsetStage, at } from './support.ts';

type Action =
  | { readonly kind: 'commit' | 'delete'; readonly partition: number }
  | { readonly kind: 'pend'; readonly partition: number; readonly producerId: number }
  | { readonly kind: 'mark'; readonly type: 'commit' | 'abort'; readonly producerId: number };

const partition = fc.integer({ min: 0, max: 1 });
const producerId = fc.integer({ min: 5, max: 7 });
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constantFrom('commit' as const, 'delete' as const), partition }),
  fc.record({ kind: fc.constant('pend' as const), partition, producerId }),
  fc.record({
    kind: fc.constant('mark' as const),
    type: fc.constantFrom('commit' as const, 'abort' as const),
    producerId,
  }),
);

interface Kept {
  readonly offset: number;
  readonly order: number;
}

/** Partitions with what is committed, and by whom something is pending. */
class Model {
  readonly committed = new Map<number, Kept>();
  readonly pending = new Map<string, Kept & { readonly partition: number; readonly producerId: number }>();

  take(what: Action, order: number): void {
    switch (what.kind) {
      case 'commit':
        this.committed.set(what.partition, { offset: order, order });
        return;
      case 'pend':
        this.pending.set(`${what.partition}/${what.producerId}`, { ...what, offset: order, order });
        return;
      case 'delete':
        this.committed.delete(what.partition);
        return this.#drop((pending) => pending.partition === what.partition);
      case 'mark':
        return this.#end(what.type, what.producerId);
    }
  }

  view(): unknown[] {
    return [0, 1].map((at) => {
      const isOpen = [...this.pending.values()].some((pending) => pending.partition === at);
      return [isOpen ? 'UNSTABLE_OFFSET_COMMIT' : 'NONE', this.committed.get(at)?.offset ?? -1];
    });
  }

  #end(type: 'commit' | 'abort', of: number): void {
    for (const pending of this.pending.values()) {
      if (type !== 'commit' || pending.producerId !== of) continue;
      const before = this.committed.get(pending.partition);
      if (before === undefined || before.order < pending.order) this.committed.set(pending.partition, pending);
    }
    this.#drop((pending) => pending.producerId === of);
  }

  #drop(matches: (pending: { partition: number; producerId: number }) => boolean): void {
    for (const [key, pending] of this.pending) if (matches(pending)) this.pending.delete(key);
  }
}

/** Of both partitions: the error with requireStable, the offset without. */
function view(stage: OffsetStage): unknown[] {
  const partitions = [0, 1].map((index) => ({ topic: 't', partition: index }));
  const stable = stage.ask({ partitions });
  const loose = stage.ask({ partitions, requireStable: false });
  stage.run();
  return [0, 1].map((i) => [stable.response!.partitions[i]!.error, loose.response!.partitions[i]!.offset]);
}

function perform(stage: OffsetStage, what: Action, order: number): void {
  switch (what.kind) {
    case 'commit':
      stage.commit(0, { offsets: [at(order, { partition: what.partition })] });
      break;
    case 'pend':
      stage.txnCommit(0, { producerId: what.producerId, offsets: [at(order, { partition: what.partition })] });
      break;
    case 'delete':
      stage.send('offsetDelete', { groupId: 'g', partitions: [{ topic: 't', partition: what.partition }] });
      break;
    case 'mark':
      stage.mark(what.type, what.producerId);
  }
  stage.run();
}

test('txn T-69: the log alone gives the same, and the model agrees', () => {
  let materialised = 0;
  fc.assert(
    fc.property(fc.array(action, { minLength: 1, maxLength: 14 }), (actions) => {
      const stage = new OffsetStage();
      const model = new Model();
      actions.forEach((what, i) => {
        perform(stage, what, i + 1);
        model.take(what, i + 1);
        expect(view(stage)).toEqual(model.view());
      });
      materialised += stage.events.filter(
        (event) => event.type === 'group.offsets' && event.kind === 'materialised',
      ).length;
      stage.failOver(3);
      expect(view(stage)).toEqual(model.view());
    }),
    { numRuns: 150, seed: 69 },
  );
  expect(materialised).toBeGreaterThan(0);
});
