// Which rules a text cites. A word says which specification: `repl and T-28`, `txn T-90 to T-104`, `wire G-4`. A
// number without one belongs to the specification that alone has its letters (R-, I-: repl; INV-, CP-: txn; G-: wire), else to
// the one that was named last.

const FILES = { repl: 'replication.md', txn: 'transactions.md', wire: 'wire.md' };
const OWN = { R: 'repl', I: 'repl', INV: 'txn', CP: 'txn', G: 'wire' };
const TOKEN = /\b(repl|txn|wire)\s+(?=\(?[A-Z]{1,3}-\d)|\b([A-Z]{1,3})-(\d+)(?:(?:\s+to\s+|…|\.\.)\2-(\d+))?/g;

/** File of a specification, by its word. */
export const specFile = (word) => FILES[word];

/** Names of the rules that a text cites, each once: "repl R-13". `has` says whether there is such a rule. */
export function citedRules(text, has) {
  const cited = new Set();
  let named;
  for (const [, word, letters, from, to] of text.matchAll(TOKEN)) {
    if (word !== undefined) {
      named = word;
      continue;
    }
    const spec = OWN[letters] ?? named;
    for (let number = Number(from); number <= Number(to ?? from); number++) {
      const rule = `${spec} ${letters}-${number}`;
      if (has(rule)) cited.add(rule);
    }
  }
  return cited;
}

/** The rules of one specification in their order: `{rule: "repl R-45", says}`; `says` is how it begins. */
export function rulesOf(word, text) {
  const found = new Map();
  for (const line of text.split('\n')) {
    const bold = /^(?:- )?\*\*([A-Z]+-\d+)([^*]*)\*\*:?\s*(.*)$/.exec(line);
    const row = /^\|\s*([A-Z]+-\d+)\s*\|\s*(.*)$/.exec(line);
    const [number, says] = bold ? [bold[1], `${bold[2].trim()} ${bold[3]}`] : row ? [row[1], row[2]] : [];
    if (number !== undefined && !found.has(number))
      found.set(number, { rule: `${word} ${number}`, says: beginning(says) });
  }
  return [...found.values()];
}

const SAYS_MAX = 72;

function beginning(text) {
  const plain = text.replaceAll('**', '').replaceAll('`', '').replaceAll('|', ' ').replace(/\s+/g, ' ').trim();
  if (plain.length <= SAYS_MAX) return plain;
  return `${plain.slice(0, plain.lastIndexOf(' ', SAYS_MAX))} …`;
}
