// Every rule number that code, tests or docs cite must exist in docs/spec. `txn T-98` and `repl T-28` are different
// rules: a number is looked up in the file its word names.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES = { repl: 'replication.md', txn: 'transactions.md', wire: 'wire.md' };

/** The numbers each specification defines, e.g. {repl: Set{"R-1", …}, …}. */
export function definedRules(top) {
  const rules = {};
  for (const [word, file] of Object.entries(FILES)) {
    const text = readFileSync(join(top, 'docs/spec', file), 'utf8');
    rules[word] = new Set();
    for (const match of text.matchAll(/\*\*([A-Z]+-\d+)|^\|\s*([A-Z]+-\d+)\s*\|/gm))
      rules[word].add(match[1] ?? match[2]);
  }
  return rules;
}

const CITATION = /\b(repl|txn|wire)\s+((?:\(?[A-Z]{1,3}-\d+[a-z]?\)?(?:\s*(?:,|and|to|or|\.\.|…|-|–|\/)\s*)?)+)/g;

/** Problems of one text. A citation lists numbers behind its word: "repl and T-28". */
export function checkRules(file, text, rules) {
  const problems = [];
  for (const match of text.matchAll(CITATION)) {
    const line = text.slice(0, match.index).split('\n').length;
    for (const [, number] of match[2].matchAll(/([A-Z]{1,3}-\d+)/g)) {
      if (/^(BUG|KIP)-/.test(number)) continue; // The corpus and Kafka's proposals, named behind a rule.
      if (!rules[match[1]].has(number))
        problems.push(`${file}:${line}: ${match[1]} ${number} does not exist in docs/spec`);
    }
  }
  return problems;
}
