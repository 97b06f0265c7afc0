// Settings of clients that `produce` and `consume` cannot keep: they are refused, and not ignored. Asks nobody.
import { Problem } from './problem.ts';

/** Why a command cannot keep a setting, and what can. */
const REFUSED: Readonly<Record<'produce' | 'consume', Readonly<Record<string, string>>>> = {
  produce: {
    'transactional.id': 'produce makes no transactions. Use the client library, or run a scenario with transactional:',
  },
  consume: {
    'group.id':
      'consume reads partitions by itself, in no group. Use the client library, or run a scenario with group:',
  },
};

/** Throws a Problem if there is a setting that the command cannot keep. */
export function checkSettings(
  verb: 'produce' | 'consume',
  settings: readonly { readonly name: string; readonly value: string }[],
): void {
  for (const { name } of settings) {
    const why = Object.hasOwn(REFUSED[verb], name) ? REFUSED[verb][name] : undefined;
    if (why !== undefined) throw new Problem('HW2001', `--config ${name}: ${why}`);
  }
}
