// The level of transaction.version is a setting of the controller: one that starts with another one changes it for all
// (txn T-190, section 12).
import { describe, expect, test } from 'vitest';
import type { MetadataRecord } from '../../src/protocol/generated/index.ts';
import { Desk } from './lone-controller.ts';

const at = (level: number) => ({ config: { 'transaction.version': level } });
const levelsOf = (records: readonly MetadataRecord[]): (number | undefined)[] =>
  records.flatMap(({ featureLevel }) => (featureLevel?.name === 'transaction.version' ? [featureLevel.level] : []));

describe('txn T-190: transaction.version', () => {
  test.each([
    ['raised', 0, 2],
    ['raised', 1, 2],
    ['lowered', 2, 1],
    ['lowered', 2, 0],
  ])('%s from %i to %i: one record, and it stays', (_how, from, to) => {
    const before = new Desk(at(from)).start();
    const end = before.controller.image.endOffset;
    const after = before.restart(at(to));
    expect(after.controller.image.features.get('transaction.version')).toBe(to);
    expect(levelsOf(after.readLog(end).records())).toEqual([to]);
    const again = after.restart(at(to));
    expect(levelsOf(again.readLog(end).records())).toEqual([to]);
  });

  test('left as it is when the setting is', () => {
    const desk = new Desk(at(1)).start().restart(at(1));
    expect(levelsOf(desk.readLog(0).records())).toEqual([1]);
  });

  test('there and back again is two records, in force one after the other', () => {
    const desk = new Desk(at(2)).start().restart(at(0)).restart(at(2));
    expect(levelsOf(desk.readLog(0).records())).toEqual([2, 0, 2]);
    expect(desk.controller.image.features.get('transaction.version')).toBe(2);
  });

  test('a controller that dies before its record is written changes it the next time', () => {
    const slow = new Desk(at(2)).start().restart({ ...at(1), slowDisk: true });
    slow.kill();
    const next = slow.restart(at(1));
    expect(levelsOf(next.readLog(0).records())).toEqual([2, 1]);
  });
});
