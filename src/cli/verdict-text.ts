// A verdict of `run` in a few lines, for people. Verdict in, text out; prints nothing.
import type { VerdictLine } from '../chaos/report.ts';

/** A verdict in a few lines, for people. */
export function describeVerdict(line: VerdictLine): string {
  const fired = Object.entries(line.fired).map(([fault, times]) => `${fault} ${times}`);
  const cell = Object.entries(line.cell)
    .map(([name, value]) => ` ${name}=${String(value)}`)
    .join('');
  const verdict = line.verdict.toUpperCase().padEnd(12);
  const seconds = (line.durationMs / 1000).toFixed(1);
  const lines = [
    `${verdict} ${line.scenario} ${line.variant}${cell}  ${seconds} s  fired: ${fired.join(', ') || 'nothing'}`,
    ...counted(line.findings).map((text) => `  found     ${text}`),
    ...counted(line.allowed).map((text) => `  allowed   ${text}`),
    ...line.reasons.map((reason) => `  because   ${reason}`),
    `  history   ${line.history}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** One line an anomaly: how often, and the first in words. */
function counted(entries: readonly Record<string, unknown>[]): string[] {
  const groups = new Map<string, Record<string, unknown>[]>();
  for (const entry of entries) {
    const name = String(entry['anomaly']);
    groups.set(name, [...(groups.get(name) ?? []), entry]);
  }
  return [...groups].map(([name, group]) => `${name} ×${group.length}: ${inWords(group[0]!)}`);
}

/** What was found says it all; what is allowed says why, and where is named before it, as far as it is at one place. */
function inWords({ says, because, partition, offset }: Record<string, unknown>): string {
  if (says !== undefined) return String(says);
  const where = [
    ...(partition === undefined || partition === '' ? [] : [String(partition)]),
    ...(offset === undefined ? [] : [`offset ${String(offset)}`]),
  ].join(' ');
  return where === '' ? String(because) : `${where}: ${String(because)}`;
}
