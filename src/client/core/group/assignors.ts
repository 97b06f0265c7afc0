// The assignors by name, and what a list of them means for a member (partition.assignment.strategy).
import { ConfigError } from '../../../protocol/config.ts';
import type { Assignor, RebalanceProtocol } from './assignor.ts';
import { RANGE, ROUND_ROBIN } from './simple-assignors.ts';
import { COOPERATIVE_STICKY } from './sticky-assignor.ts';

const ASSIGNORS: readonly Assignor[] = [RANGE, ROUND_ROBIN, COOPERATIVE_STICKY];

/** The assignors of a comma-separated list, in order of preference. Throws ConfigError. */
export function assignorsOf(list: string): readonly Assignor[] {
  const names = list.split(',').map((name) => name.trim());
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) throw new ConfigError(`partition.assignment.strategy names "${repeated}" twice`);
  return names.map((name) => {
    const assignor = ASSIGNORS.find((one) => one.name === name);
    if (assignor !== undefined) return assignor;
    const known = ASSIGNORS.map((one) => one.name).join(', ');
    throw new ConfigError(`partition.assignment.strategy names "${name}"; known: ${known}`);
  });
}

/** Cooperative only if all of them are: members must agree before they join on what is given up. */
export function protocolOf(assignors: readonly Assignor[]): RebalanceProtocol {
  return assignors.every(({ protocol }) => protocol === 'cooperative') ? 'cooperative' : 'eager';
}
