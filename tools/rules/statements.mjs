// Rules that say nothing which this code could break, and what they are instead. docs/rules.md marks them, as long as nothing
// cites them.
const CLIENT = 'what a client does, seen from outside';
const APPLICATION = 'what an application must do';

/** By rule, a few words. */
export const STATEMENTS = {
  'repl R-100': 'a broker has one directory here: if it fails the broker halts (R-114)',
  'txn T-175': 'what idempotence alone does not promise',
  'txn T-184': 'arithmetic: what a commit costs',
  'txn T-186': 'why T-18 and T-88 are enough',
  'txn T-188': 'advice on settings; the one that is enforced is T-41',
  'wire W-40': CLIENT,
  'wire W-42': CLIENT,
  'wire W-45': CLIENT,
  'wire W-47': CLIENT,
  'wire W-48': CLIENT,
  'wire W-50': CLIENT,
  'wire W-51': CLIENT,
  'wire W-52': CLIENT,
  'wire W-56': CLIENT,
  'wire W-57': CLIENT,
  'wire W-58': CLIENT,
  'wire W-59': CLIENT,
  'wire W-60': CLIENT,
  'wire W-61': CLIENT,
  'wire W-64': 'which versions are alike',
  'wire W-97': 'no topic here has an old format',
  'wire W-100': 'advice: invent no codes',
  'wire G-48': 'not needed, as it says',
  'wire G-50': APPLICATION,
};
