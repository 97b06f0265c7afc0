// Violations of exactly-once (txn INV-8, T-174): in a job that makes outputs from input records and commits offsets with
// them, each committed input record below the committed offset has its outputs visible exactly once, and none at or above it.
import type { Offset } from '../base/units.ts';
import { copyJobs, type CopyJob, type InputUse } from './copy-jobs.ts';
import { FindingsBuilder, type Checker, type Findings } from './findings.ts';
import { recordedGroups } from './recorded-groups.ts';
import { offsetBudget } from './offset-commits.ts';
import { isVisible } from './outcomes.ts';
import type { HistoryView } from './view.ts';

/**
 * One finding for each input record and way to be wrong: duplicated, missing, beyond. Aborted copies and copies of open
 * transactions are no outputs. Needs the final logs of outputs; what is missing or beyond, also those of the input and
 * what is committed in the end.
 */
export const eosViolations: Checker = (view): Findings => {
  const findings = new FindingsBuilder();
  const jobs = copyJobs(view);
  for (const job of jobs) {
    const unknown = [...job.outputs].filter((partition) => !view.finalLog(partition).complete);
    if (unknown.length > 0) {
      const what = `not all replicas of ${unknown.join(', ')} were observed in agreement`;
      findings.inconclusive.push(`eos-violation: ${job.name} wrote outputs, and ${what}`);
      continue;
    }
    for (const [partition, uses] of job.inputs) judge(view, job, partition, uses, findings);
  }
  for (const group of recordedGroups(view, ({ txnOps }) => txnOps)) {
    if (jobs.some((job) => job.group === group)) continue;
    const what = 'its clients were seen on the wire alone, which does not tell what each output was made from';
    findings.inconclusive.push(`eos-violation: ${group}: ${what}`);
  }
  return findings;
};

function judge(
  view: HistoryView,
  job: CopyJob,
  partition: string,
  uses: ReadonlyMap<Offset, InputUse>,
  findings: FindingsBuilder,
): void {
  const say = sayer(view, job, partition, findings);
  const visibleOf = new Map<Offset, readonly VisibleOutput[]>();
  for (const [input, use] of uses) {
    const visible = visibleOutputs(view, use);
    visibleOf.set(input, visible);
    const twice =
      visible.find((output) => output.count > job.inputsOf(output)) ??
      (haveCommonTransaction(visible) ? undefined : visible[0]);
    if (twice !== undefined) say('duplicated', input, visible);
  }
  const committed = job.committed(partition);
  const inputs = view.outcomes(partition);
  if (committed === undefined || !view.finalLog(partition).complete) {
    const what = `what is committed for ${partition}, or its log, was not observed`;
    findings.inconclusive.push(`eos-violation: ${job.name}: ${what}`);
    return;
  }
  const below = (of: string): Offset => job.committed(of)?.offset ?? Infinity;
  for (const [input, visible] of visibleOf) {
    const tooMany = visible.filter((output) => output.count > job.inputsOf(output, below));
    if (input >= committed.offset && tooMany.length > 0) say('beyond', input, tooMany);
  }
  const first = job.firstRead(partition) ?? smallest(uses.keys());
  for (const place of inputs.places) {
    if (place.offset < first || place.offset >= committed.offset || !isVisible(place)) continue;
    const visible = visibleOf.get(place.offset) ?? [];
    if (visible.every((output) => output.count < job.inputsOf(output, below))) say('missing', place.offset, []);
  }
}

function smallest(offsets: Iterable<Offset>): Offset {
  let least = Infinity;
  for (const offset of offsets) least = Math.min(least, offset);
  return least;
}

interface VisibleOutput {
  readonly partition: string;
  readonly value: string;
  readonly count: number;
  readonly use: InputUse['outputs'][number];
}

function visibleOutputs(view: HistoryView, { outputs }: InputUse): VisibleOutput[] {
  const visible: VisibleOutput[] = [];
  for (const use of outputs) {
    const { partition, value } = use;
    let count = 0;
    for (const place of view.outcomes(partition).of(value)) if (isVisible(place)) count += 1;
    if (count > 0) visible.push({ partition, value, count, use });
  }
  return visible;
}

/** Whether one transaction may have made all of them; outputs outside transactions: one process, once. */
function haveCommonTransaction(visible: readonly VisibleOutput[]): boolean {
  const [first, ...others] = visible;
  if (first === undefined) return true;
  return first.use.makers.some((maker) => others.every(({ use }) => use.makers.includes(maker)));
}

type Sayer = (how: 'duplicated' | 'missing' | 'beyond', input: Offset, visible: readonly VisibleOutput[]) => void;

function sayer(view: HistoryView, job: CopyJob, partition: string, findings: FindingsBuilder): Sayer {
  return (how, input, visible) => {
    const { group } = job;
    const values = visible.map(({ value }) => value);
    const details = { group, how, input, outputs: values, committed: job.committed(partition)?.offset };
    const outputs = values.map((value) => `"${value}"`).join(', ');
    const what = {
      duplicated: `has outputs more than once: ${outputs}`,
      missing: `lies below the committed offset ${details.committed}, and has no visible output`,
      beyond: `lies at or above the committed offset ${details.committed}, and has outputs: ${outputs}`,
    }[how];
    const sends = visible.flatMap(({ use }) => use.sends);
    const shown = visible.map((one) => view.outcomes(one.partition).shownBy!);
    const ends = how === 'duplicated' ? [] : [job.committed(partition)!.by.index];
    const holder = how === 'missing' ? [view.outcomes(partition).shownBy!] : [];
    const says = `${job.name}: input ${input} of ${partition} ${what}`;
    const excuses = [
      ...view.budget(partition),
      ...offsetBudget(view),
      ...[...job.outputs].flatMap((one) => view.budget(one)),
    ];
    const ops = [...sends, ...shown, ...ends, ...holder];
    findings.add({ anomaly: 'eos-violation', partition, details, ops, says }, excuses);
  };
}
