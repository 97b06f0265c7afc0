// Regressions of committed offsets: a group was seen to have committed an offset, later a smaller one, and no commit says
// so. A reset, a commit of a late member that nobody fenced, or one in doubt may say so.
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import type { Offset } from '../base/units.ts';
import { entryOf } from './keep.ts';
import { offsetBudget, type Slot } from './offset-commits.ts';
import { firstFrom } from './search.ts';
import type { HistoryView } from './view.ts';

type Sight = Slot['seen'][number];

/** Sights that overlap in time say nothing of each other. One finding for each step back. */
export const offsetRegressions: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  for (const slot of view.slots()) {
    const said = new Said(slot);
    for (const later of slot.seen) {
      const earlier = slot.seen[firstFrom(slot.seen, later.from, ({ to }) => to) - 1];
      if (earlier !== undefined && later.offset < earlier.offset && !said.isSaid(earlier, later))
        report(view, slot, [earlier, later], findings);
    }
  }
  return findings;
};

/** When commits of an offset that may be in force may have been logged. */
interface Spans {
  /** In order. */
  readonly from: number[];
  /** The latest end of those that begin up to a place. */
  readonly to: number[];
}

/** What commits say of one slot, by offset. */
class Said {
  readonly #spans = new Map<Offset, Spans>();

  constructor({ commits }: Slot) {
    const possible = commits.filter(({ state }) => state !== 'undone');
    for (const { offset, from, to } of possible.sort((a, b) => a.from - b.from)) {
      const spans = entryOf(this.#spans, offset, () => ({ from: [], to: [] }));
      spans.from.push(from);
      spans.to.push(Math.max(to, spans.to.at(-1) ?? to));
    }
  }

  /** Whether a commit of the smaller offset may stand behind the one of the larger in the log. */
  isSaid(earlier: Sight, later: Sight): boolean {
    const larger = this.#spans.get(earlier.offset)?.from[0] ?? Infinity;
    const after = larger < later.to ? larger : earlier.from;
    const smaller = this.#spans.get(later.offset);
    if (smaller === undefined) return false;
    const latest = smaller.to[firstFrom(smaller.from, later.to, (from) => from) - 1];
    return latest !== undefined && latest >= after;
  }
}

function report(
  view: HistoryView,
  { group, partition }: Slot,
  [earlier, later]: readonly [Sight, Sight],
  findings: FindingsBuilder,
): void {
  const details = { group, offset: later.offset, before: earlier.offset };
  const says = `${group} had committed ${earlier.offset} of ${partition}, and then ${later.offset}, which no commit says`;
  const ops = [earlier.to, later.to];
  findings.add({ anomaly: 'offset-regression', partition, details, ops, says }, offsetBudget(view));
}
