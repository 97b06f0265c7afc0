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
  /**
   * From how many input records a value was made in a partition: equal inputs (an input that was retried) make equal outputs.
   * `below`: of those alone that lie below this offset of their partition.
   */
  inputsOf(output: Pick<OutputUse, 'partition' | 'value'>, below?: (partition: string) => Offset): number;
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
    const group = groups.get(send.process) ?? groups.get(clientOf(view, send.process)) ?? '';
    const others = sends.get(group);
    if (others === undefined) sends.set(group, [send]);
    else others.push(send);
  }
  return [...sends].map(([group, of]) => job(view, group === '' ? undefined : group, of));
}

function groupsByProcess(view: HistoryView): Map<string, string> {
  const groups = new Map<string, string>();
  for (const { invoke } of [...view.txnOps, ...view.offsetsOps]) {
    const { process, group } = invoke;
    if (group === undefined) continue;
    groups.set(process, group);
    groups.set(clientOf(view, process), group);
  }
  return groups;
}

/** Instances of a client that was seen on the wire alone work for one group: app, app~2 and so on (RecordedOp). */
function clientOf({ recorded }: HistoryView, name: string): string {
  return recorded.has(name) ? name.replace(/~\d+$/, '') : name;
}

function job(view: HistoryView, group: string | undefined, sends: readonly TrackedSend[]): CopyJob {
  const inputs = new Map<string, Map<Offset, { outputs: OutputUse[] }>>();
  for (const send of sends) for (const input of send.from) addUse(inputs, input, send);
  const madeFrom = inputsByOutput(inputs);
  const first = firstReads(view, group);
  return {
    name: group ?? sends[0]!.process,
    group,
    outputs: new Set(sends.map(({ partition }) => partition)),
    inputs,
    inputsOf: ({ partition, value }, below) => {
      const places = madeFrom.get(partition)?.get(value) ?? [];
      return below === undefined ? places.length : places.filter((from) => from.offset < below(from.partition)).length;
    },
    committed: (partition) => (group === undefined ? undefined : settled(view, { group, partition })),
    firstRead: (partition) => first.get(partition),
  };
}

interface Input {
  readonly partition: string;
  readonly offset: Offset;
}

/** By partition and value of the output. */
function inputsByOutput(inputs: ReadonlyMap<string, ReadonlyMap<Offset, InputUse>>): Map<string, Map<string, Input[]>> {
  const found = new Map<string, Map<string, Input[]>>();
  for (const [from, offsets] of inputs)
    for (const [offset, { outputs }] of offsets)
      for (const { partition, value } of outputs) {
        let values = found.get(partition);
        if (values === undefined) found.set(partition, (values = new Map()));
        const places = values.get(value);
        if (places === undefined) values.set(value, [{ partition: from, offset }]);
        else places.push({ partition: from, offset });
      }
  return found;
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
