// Jobs that make outputs from input records (`from` of a send), by the group for which their processes commit offsets.
import type { Offset } from '../base/units.ts';
import type { TrackedSend } from './arrange.ts';
import { settled } from './offset-commits.ts';
import type { HistoryView } from './view.ts';

/** One output value in one partition, made from an input record, once or in several attempts. */
export interface OutputUse {
  readonly partition: string;
  readonly value: string;
  /** Indexes of the sends. */
  readonly sends: number[];
  /** Who made it: a transaction of a process, or a process. */
  readonly makers: string[];
}

/** What was made from one input record. */
export interface InputUse {
  readonly outputs: readonly OutputUse[];
}

export interface CopyJob {
  readonly name: string;
  /** Undefined: its processes commit no offsets, so that only duplicates can be told. */
  readonly group: string | undefined;
  /** Partitions that it wrote to. */
  readonly outputs: ReadonlySet<string>;
  /** By input partition and offset. */
  readonly inputs: ReadonlyMap<string, ReadonlyMap<Offset, InputUse>>;
  /** From how many input records a value was made in a partition: equal inputs (an input that was retried) make equal outputs. */
  inputsOf(output: Pick<OutputUse, 'partition' | 'value'>): number;
  /** What is committed in the end; undefined if that is not known. */
  committed(partition: string): ReturnType<typeof settled>;
  /** Where the job began to read a partition; undefined if no poll of its group is in the history. */
  firstRead(partition: string): Offset | undefined;
}

/** All jobs of a history. */
export function copyJobs(view: HistoryView): CopyJob[] {
  const derived = view.tracked.filter(({ from }) => from.length > 0);
  if (derived.length === 0) return [];
  const groups = groupsByProcess(view);
  const sends = new Map<string, TrackedSend[]>();
  for (const send of derived) {
    const group = groups.get(send.process) ?? '';
    const others = sends.get(group);
    if (others === undefined) sends.set(group, [send]);
    else others.push(send);
  }
  return [...sends].map(([group, of]) => job(view, group === '' ? undefined : group, of));
}

function groupsByProcess({ txnOps, offsetsOps }: HistoryView): Map<string, string> {
  const groups = new Map<string, string>();
  for (const { invoke } of [...txnOps, ...offsetsOps]) {
    if (invoke.group !== undefined) groups.set(invoke.process, invoke.group);
  }
  return groups;
}

function job(view: HistoryView, group: string | undefined, sends: readonly TrackedSend[]): CopyJob {
  const inputs = new Map<string, Map<Offset, { outputs: OutputUse[] }>>();
  for (const send of sends) for (const input of send.from) addUse(inputs, input, send);
  const counts = countInputs(inputs);
  const first = firstReads(view, group);
  return {
    name: group ?? sends[0]!.process,
    group,
    outputs: new Set(sends.map(({ partition }) => partition)),
    inputs,
    inputsOf: ({ partition, value }) => counts.get(partition)?.get(value) ?? 0,
    committed: (partition) => (group === undefined ? undefined : settled(view, { group, partition })),
    firstRead: (partition) => first.get(partition),
  };
}

function countInputs(inputs: ReadonlyMap<string, ReadonlyMap<Offset, InputUse>>): Map<string, Map<string, number>> {
  const counts = new Map<string, Map<string, number>>();
  for (const offsets of inputs.values())
    for (const { outputs } of offsets.values())
      for (const { partition, value } of outputs) {
        let values = counts.get(partition);
        if (values === undefined) counts.set(partition, (values = new Map()));
        values.set(value, (values.get(value) ?? 0) + 1);
      }
  return counts;
}

function addUse(
  inputs: Map<string, Map<Offset, { outputs: OutputUse[] }>>,
  input: string,
  { partition, value, process, txn, index }: TrackedSend,
): void {
  const at = input.lastIndexOf('@');
  const [from, offset] = [input.slice(0, at), Number(input.slice(at + 1))];
  let offsets = inputs.get(from);
  if (offsets === undefined) inputs.set(from, (offsets = new Map()));
  let use = offsets.get(offset);
  if (use === undefined) offsets.set(offset, (use = { outputs: [] }));
  const maker = txn === undefined ? process : `${process} ${txn}`;
  const known = use.outputs.find((one) => one.partition === partition && one.value === value);
  if (known === undefined) use.outputs.push({ partition, value, sends: [index], makers: [maker] });
  else {
    known.sends.push(index);
    known.makers.push(maker);
  }
}

function firstReads(view: HistoryView, group: string | undefined): Map<string, Offset> {
  const first = new Map<string, Offset>();
  for (const poll of view.polls) {
    if (group === undefined || poll.group !== group) continue;
    first.set(poll.partition, Math.min(first.get(poll.partition) ?? poll.from, poll.from));
  }
  return first;
}
