// Conditions on the fields of a point (ux.md 3.2).
import { describe, expect, test } from 'vitest';
import { compileFilter, refuseFilter } from '../../src/fault/filters.ts';

const matches = (field: string, op: string, values: string[], fields: Record<string, string | number>): boolean =>
  compileFilter({ field, op, values }).matches(fields);

describe('a filter', () => {
  test('matches any of its values, whatever their type', () => {
    expect(matches('to', '=', ['2', '3'], { to: 3 })).toBe(true);
    expect(matches('to', '=', ['2', '3'], { to: 1 })).toBe(false);
    expect(matches('to', '!=', ['2', '3'], { to: 1 })).toBe(true);
    expect(matches('to', '!=', ['2', '3'], { to: 2 })).toBe(false);
  });

  test('never matches a field that is absent, not even with !=', () => {
    for (const op of ['=', '!=', '>=', '<', 'glob']) expect(matches('offset', op, ['1'], {})).toBe(false);
  });

  test('compares numbers as numbers', () => {
    expect(matches('acks', '>=', ['10'], { acks: 9 })).toBe(false);
    expect(matches('acks', '<', ['10'], { acks: 9 })).toBe(true);
    expect(matches('acks', '>', ['9'], { acks: 9 })).toBe(false);
    expect(matches('acks', '<=', ['9'], { acks: 9 })).toBe(true);
  });

  test('takes globs in which only * and ? are special', () => {
    expect(matches('topic', 'glob', ['ord*'], { topic: 'orders' })).toBe(true);
    expect(matches('topic', 'glob', ['or?ers'], { topic: 'orders' })).toBe(true);
    expect(matches('topic', 'glob', ['a.b'], { topic: 'axb' })).toBe(false);
    expect(matches('topic', 'glob', ['rder'], { topic: 'orders' })).toBe(false);
  });

  test('offset matches any offset inside a batch; baseOffset and lastOffset are the fields', () => {
    const batch = { baseOffset: 5, lastOffset: 9, offset: 5 };
    for (const offset of ['5', '7', '9']) expect(matches('offset', '=', [offset], batch)).toBe(true);
    for (const offset of ['4', '10']) expect(matches('offset', '=', [offset], batch)).toBe(false);
    expect(matches('offset', '>=', ['9'], batch)).toBe(true);
    expect(matches('offset', '>', ['9'], batch)).toBe(false);
    expect(matches('offset', '<', ['5'], batch)).toBe(false);
    expect(matches('offset', '!=', ['7'], batch)).toBe(false);
    expect(matches('offset', '!=', ['10'], batch)).toBe(true);
    expect(matches('baseOffset', '=', ['7'], batch)).toBe(false);
    expect(matches('lastOffset', '>=', ['9'], batch)).toBe(true);
  });

  test('is refused with what may be written instead', () => {
    expect(refuseFilter({ field: 'to', op: '~', values: ['1'] })).toContain('use one of = != >= <= > < glob');
    expect(refuseFilter({ field: 'to', op: '=', values: [] })).toContain('no value');
    expect(refuseFilter({ field: 'offset', op: '>=', values: ['five'] })).toContain('compares numbers');
  });
});
