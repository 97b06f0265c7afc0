// The safeguard that a word on the command line names, or a sentence with the nearest.
import { nearest } from '../../base/nearest.ts';
import { isSafeguard, SAFEGUARDS, type Safeguard } from '../../fault/safeguards.ts';
import { Problem } from '../problem.ts';

export function safeguardNamed(name: string): Safeguard {
  if (isSafeguard(name)) return name;
  const known = Object.keys(SAFEGUARDS);
  const near = nearest(name, known);
  const hint = near === undefined ? `Safeguards: ${known.join(', ')}` : `Did you mean: ${near}?`;
  throw new Problem('HW2101', `no safeguard "${name}". ${hint}`);
}
