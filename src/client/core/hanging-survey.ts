// The search for hanging transactions (txn T-180): partitions tell what is open, coordinators what they own, and partitions
// are asked again, because what ended meanwhile was not hanging. Names what could not be seen; whom it asks is the caller's.
import type { DurationMs, EpochMs, TopicPartition } from '../../base/units.ts';
import { formatPartition } from '../../base/units.ts';
import type { DescribedTransaction, PartitionProducers } from '../../protocol/generated/index.ts';
import { all, isSilence, map, type Done, type SilentBroker } from './admin-calls.ts';
import type { TransactionListing } from './admin-transactions.ts';
import { isSilent, openIn, ownerOf, type ActiveTransaction, type HangingTransaction } from './hanging-transactions.ts';

/** A partition that nobody told of in time. */
export interface MissedPartition extends TopicPartition {
  /** Why, as a sentence. */
  readonly message: string;
}

/** What hangs, as far as brokers told. */
export interface HangingSurvey {
  readonly hanging: readonly HangingTransaction[];
  readonly missed: readonly MissedPartition[];
  /** Brokers that did not tell what they coordinate. Empty if nobody had to be asked. */
  readonly silent: readonly SilentBroker[];
  /** Open, and of no coordinator that answered: one that is silent may own them. */
  readonly undecided: readonly ActiveTransaction[];
}

/** Whom the search asks. */
export interface HangingSources {
  readonly wallTime: () => EpochMs;
  readonly producers: (of: TopicPartition, told: Done<PartitionProducers>) => void;
  readonly listed: (producerIds: readonly number[], told: Done<TransactionListing>) => void;
  readonly described: (ids: readonly string[], told: Done<readonly DescribedTransaction[]>) => void;
}

/** What to look for. `mayMiss`: a partition that nobody tells of is missed; without it, it fails the search. */
export interface HangingSearch {
  readonly partitions: readonly TopicPartition[];
  readonly silentMs: DurationMs;
  readonly mayMiss: boolean;
}

interface Look {
  readonly open: readonly ActiveTransaction[];
  readonly missed: readonly MissedPartition[];
}

interface Judged {
  readonly hanging: readonly HangingTransaction[];
  readonly undecided: readonly ActiveTransaction[];
  readonly silent: readonly SilentBroker[];
}

/** Looks, asks for owners, and looks again. */
export function surveyHanging(sources: HangingSources, search: HangingSearch, done: Done<HangingSurvey>): void {
  look(sources, search, (first) => {
    if (first.kind === 'failed') return done(first);
    const { open, missed } = first.value;
    judge(sources, open, (judged) => {
      if (judged.kind === 'failed') return done(judged);
      const { hanging, undecided, silent } = judged.value;
      look(sources, { ...search, partitions: [...hanging, ...undecided] }, (again) =>
        done(
          map(again, (second) => ({
            hanging: stillOpen(hanging, second.open),
            undecided: stillOpen(undecided, second.open),
            ...{ silent, missed: [...missed, ...second.missed] },
          })),
        ),
      );
    });
  });
}

/** What is open and silent in partitions now. */
function look(sources: HangingSources, { partitions, silentMs, mayMiss }: HangingSearch, done: Done<Look>): void {
  const once = [...new Map(partitions.map((of) => [formatPartition(of.topic, of.partition), of])).values()];
  const one = ({ topic, partition }: TopicPartition, told: Done<Look>): void =>
    sources.producers({ topic, partition }, (result) => {
      if (result.kind === 'failed' && mayMiss && isSilence(result)) {
        return told({ kind: 'ok', value: { open: [], missed: [{ topic, partition, message: result.message }] } });
      }
      const silentOf = (of: PartitionProducers): Look => ({
        open: openIn(of).filter((each) => isSilent(each, sources.wallTime(), silentMs)),
        missed: [],
      });
      told(map(result, silentOf));
    });
  all(once, one, (result) =>
    done(
      map(result, (looks) => ({
        open: looks.flatMap(({ open }) => open),
        missed: looks.flatMap(({ missed }) => missed),
      })),
    ),
  );
}

/** Which of them no coordinator will end, and of which nobody can tell. */
function judge(sources: HangingSources, open: readonly ActiveTransaction[], done: Done<Judged>): void {
  if (open.length === 0) return done({ kind: 'ok', value: { hanging: [], undecided: [], silent: [] } });
  sources.listed([...new Set(open.map(({ producerId }) => producerId))], (listed) => {
    if (listed.kind === 'failed') return done(listed);
    const { transactions, silent } = listed.value;
    const ids = transactions.map(({ transactionalId }) => transactionalId);
    sources.described(ids, (described) =>
      done(
        map(described, (known) => {
          const owned = open.map((one) => ({ one, why: ownerOf(one, known, transactions) }));
          const hidden = (kind: string): boolean => silent.length > 0 && kind === 'unknown-producer';
          return {
            hanging: owned.flatMap(({ one, why }) =>
              why.kind === 'owned' || hidden(why.kind) ? [] : [{ ...one, why }],
            ),
            undecided: owned.flatMap(({ one, why }) => (hidden(why.kind) ? [one] : [])),
            silent,
          };
        }),
      ),
    );
  });
}

function stillOpen<T extends ActiveTransaction>(before: readonly T[], open: readonly ActiveTransaction[]): T[] {
  const key = ({ topic, partition, producerId, startOffset }: ActiveTransaction): string =>
    `${formatPartition(topic, partition)} ${producerId} ${startOffset}`;
  const left = new Set(open.map(key));
  return before.filter((one) => left.has(key(one)));
}
