// The `where` of a fault: conditions on the fields of its point. A value, a list of values, a glob, or a comparison such as
// ">=5" (ux.md 3.2).
import type { FaultFilter } from '../protocol/generated/index.ts';
import type { Scalar } from './plan.ts';
import { Misfit, type Path } from './scenario-error.ts';

/** Reads conditions. Throws Misfit. */
export function parseWhere(raw: Readonly<Record<string, Scalar | readonly Scalar[]>>, path: Path): FaultFilter[] {
  return Object.entries(raw).map(([field, value]) => {
    const values = (Array.isArray(value) ? (value as readonly Scalar[]) : [value as Scalar]).map(String);
    return parseFilter(field, values, [...path, field]);
  });
}

function parseFilter(field: string, values: readonly string[], path: Path): FaultFilter {
  const compared = values.map((value) => /^(>=|<=|!=|>|<|=)\s*(.+)$/.exec(value));
  const [first] = compared;
  if (first !== null && first !== undefined) {
    const [, op, operand] = first as unknown as [string, string, string];
    if (values.length > 1) throw new Misfit('HW2410', path, `a comparison stands alone: "${op}${operand}"`);
    return { field, op, values: [operand] };
  }
  if (compared.some((match) => match !== null))
    throw new Misfit('HW2410', path, 'a comparison stands alone, not in a list');
  const op = values.some((value) => /[*?]/.test(value)) ? 'glob' : '=';
  return { field, op, values: [...values] };
}
