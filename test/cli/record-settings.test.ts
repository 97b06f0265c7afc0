// Settings that `produce` and `consume` cannot keep.
import { expect, test } from 'vitest';
import { checkSettings } from '../../src/cli/record-settings.ts';

test.each([
  ['produce', 'transactional.id', 'produce makes no transactions'],
  ['consume', 'group.id', 'in no group'],
] as const)('%s refuses %s', (verb, name, why) => {
  expect(() => checkSettings(verb, [{ name, value: 'x' }])).toThrow(why);
});

test('other settings pass', () => {
  checkSettings('produce', [{ name: 'linger.ms', value: '5' }]);
  checkSettings('consume', [{ name: 'isolation.level', value: 'read_committed' }]);
});
