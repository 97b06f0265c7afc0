// Differences between Apache Kafka 4.4 and Highwater that are meant, each with its reason.
import type { Allowed } from '../support/steps.ts';

export const ALLOWED: readonly Allowed[] = [
  {
    step: 'admin: transaction.version',
    kafka: 'FinalizedVersionRange[min_version_level:1, max_version_level:1]',
    highwater: 'ok',
    only: 1,
    why: 'wire W-19: that table has no feature tags, which old clients read wrongly; no client asks whether the level is 1',
  },
  {
    step: 'produce: a codec of no known number',
    kafka: 'error -1 base -1 start 0',
    highwater: 'error 87 base -1 start 0',
    why: 'wire section 6.3: UNKNOWN_SERVER_ERROR is no answer to a batch that is wrong',
  },
  {
    step: 'produce: magic 3',
    kafka: 'error 2 base -1 start -1 message',
    highwater: 'error 2 base -1 start -1',
    why: 'wire W-73: a sentence goes out with record errors and replaced codes only',
  },
  {
    step: 'produce: batch length 10',
    kafka: 'error 2 base -1 start -1 message',
    highwater: 'error 2 base -1 start -1',
    why: 'wire W-73, as above',
  },
  {
    step: 'idempotence: an unknown id that begins at 7',
    kafka: 'error 0 base 1 start 0',
    highwater: 'error 45 base -1 start 0',
    why: "txn T-101: else a first batch that was refused is overtaken and lost; seq.firstIsZero off gives Kafka's rule",
  },
  {
    step: 'idempotence: what is left of all that',
    kafka: 'hw 11 lso 11, hw 3 lso 3',
    highwater: 'hw 11 lso 11, hw 2 lso 2',
    why: 'follows from the step above',
  },
  {
    step: 'offsets: admin: describe an unknown group',
    kafka: 'GroupIdNotFoundException',
    highwater: 'Dead',
    why: 'wire W-65, G-49: DescribeGroups 6 and ConsumerGroupDescribe are not offered; in version 5 such a group is Dead',
  },
];
