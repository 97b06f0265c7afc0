// Completion: what can stand where the cursor is, by the tree of commands as it is; and the script for bash in a real one.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Command } from 'commander';
import { candidates, type Knowledge } from '../../src/cli/completion/candidates.ts';
import { kindOf, type LiveKind } from '../../src/cli/completion/kinds.ts';
import { knowledgeOf } from '../../src/cli/completion/knowledge.ts';
import { completionScript, SHELLS } from '../../src/cli/completion/scripts.ts';
import { buildProgram } from '../../src/cli/program.ts';

const LIVE: Readonly<Record<LiveKind, readonly string[]>> = {
  topic: ['__consumer_offsets', 'orders', 'payments'],
  partition: ['__consumer_offsets-0', 'orders-0', 'orders-1'],
  'transactional-id': ['checkout-1'],
  group: ['billing'],
  node: ['1', '2', 'controller', 'leader(orders-0)', 'leader(__consumer_offsets-0)'],
  broker: ['1', '2'],
  fault: ['f1'],
};

const asked: (string | undefined)[] = [];
const knowledge: Knowledge = {
  live: (kind, cluster) => {
    asked.push(cluster);
    return Promise.resolve(LIVE[kind]);
  },
  files: (kind, typed) => [`${typed}${kind}.yaml`],
  clusters: () => ['default', 'other'],
};

/** The words that can stand at the end of `line`. */
async function words(line: string): Promise<string[]> {
  return (await candidates(buildProgram(), line.split(' '), knowledge)).map(({ word }) => word);
}

test('verbs, and the verbs of nouns; what is hidden stays hidden', async () => {
  const all = await words('');
  expect(all).toEqual(expect.arrayContaining(['up', 'status', 'topics', 'doctor', 'completion', 'explain']));
  expect(all.filter((word) => word.startsWith('_'))).toEqual([]);
  expect(await words('re')).toEqual(['record', 'replicas']);
  expect(await words('replicas ')).toEqual(['show', 'watch', 'verify']);
  expect(await words('--cluster other replicas v')).toEqual(['verify']);
});

test('flags of the verb and those of all verbs, each once, unless it is gathered', async () => {
  expect(await words('topics describe --w')).toEqual(['--watch']);
  expect(await words('status --j')).toEqual(['--json']);
  expect(await words('status --json --j')).toEqual([]);
  expect(await words('topics create t --config a=b --con')).toEqual(['--config']);
  expect(await words('produce orders -- --')).toEqual([]);
});

test.each([
  ['topics describe ', ['orders', 'payments']],
  ['topics describe _', ['__consumer_offsets']],
  ['topics describe --watch=1s o', ['orders']],
  ['topics create ', []],
  ['topics describe orders ', []],
  ['replicas verify orders-', ['orders-0', 'orders-1']],
  ['txn describe checkout-1 ', ['checkout-1']],
  ['groups describe b', ['billing']],
  ['node kill lead', ['leader(orders-0)']],
  ['node unregister ', ['1', '2']],
  ['fault rm ', ['f1']],
  ['fault points rep', ['replica']],
  ['run sc', ['scscenario.yaml']],
  ['safeguards run hw.b', ['hw.bound']],
  ['explain ghost', ['ghost read', 'ghost-read']],
  ['groups describe --isolation-level read_c', ['read_committed']],
  ['groups describe --isolation-level=read_c', ['--isolation-level=read_committed']],
  ['log dump --topic pay', ['payments']],
  ['up --topic ', []],
  ['up --config min.ins', ['min.insync.replicas=']],
  ['status --cluster ', ['default', 'other']],
  ['completion f', ['fish']],
  ['check x --checker ghost', ['ghost-read']],
  ['crash-points show CP-32', ['CP-32']],
])('%j', async (line, expected) => {
  expect(await words(line)).toEqual(expected);
});

test('a fault: its point, what is legal there, and what its conditions may name', async () => {
  expect(await words('fault add --at replica.fetch.rec')).toEqual(['replica.fetch.received']);
  const legal = await words('fault add --at replica.fetch.received --do ');
  expect(legal).toEqual(expect.arrayContaining(['kill', 'hold']));
  expect(legal).not.toContain('cut');
  expect(await words('fault add --do switch:hw.b')).toEqual(['switch:hw.bound=off']);
  const fields = await words('fault add --at replica.fetch.received --where ');
  expect(fields).toEqual(expect.arrayContaining(['node=', 'partition=']));
  expect(fields).not.toContain('transactionalId=');
});

test('the cluster is the one that the line names', async () => {
  asked.length = 0;
  await words('--cluster other topics describe ');
  await words('topics describe --cluster=third ');
  await words('topics describe ');
  expect(asked).toEqual(['other', 'third', undefined]);
});

test('every argument of every verb has words, or is known to have none', () => {
  /** What nobody can guess: a name that is new, and an address. */
  const own = ['agent', 'name'];
  const missing: string[] = [];
  const look = (command: Command, verb: readonly string[]): void => {
    for (const argument of command.registeredArguments) {
      if (own.includes(argument.name()) || command.name() === '__complete') continue;
      if (kindOf(verb.join(' '), argument.name(), new Map()) === undefined)
        missing.push(`${verb.join(' ')} <${argument.name()}>`);
    }
    for (const child of command.commands) look(child, [...verb, child.name()]);
  };
  look(buildProgram(), []);
  expect(missing).toEqual([]);
});

const installed = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

describe('the disk', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'highwater-complete-'));
    mkdirSync(join(folder, 'more'));
    for (const name of ['a.yaml', 'b.yml', 'c.ndjson', 'd.txt', '.hidden.yaml']) writeFileSync(join(folder, name), '');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('files of the kind, and folders to go on in', () => {
    const { files } = knowledgeOf('default');
    const at = (name: string): string => `${folder}/${name}`;
    expect(files('scenario', `${folder}/`)).toEqual([at('a.yaml'), at('b.yml'), at('more/')]);
    expect(files('history', `${folder}/`)).toEqual([at('c.ndjson'), at('more/')]);
    expect(files('scenario', `${folder}/.h`)).toContain(at('.hidden.yaml'));
    expect(files('file', `${folder}/none/`)).toEqual([]);
  });

  test('a cluster that is not there knows nothing, and nothing is said', async () => {
    expect(await knowledgeOf('nobody-has-this').live('topic', undefined)).toEqual([]);
  });

  /** A `highwater` that answers `lines`, and writes down what it was asked. */
  function answering(lines: readonly string[]): string {
    const program = join(folder, 'highwater');
    const answers = join(folder, 'answers');
    writeFileSync(answers, lines.map((each) => `${each}\n`).join(''));
    writeFileSync(program, `#!/bin/sh\nprintf '[%s]' "$@" > "${folder}/asked"\ncat "${answers}"\n`);
    chmodSync(program, 0o755);
    return program;
  }

  const wasAsked = (): string => readFileSync(join(folder, 'asked'), 'utf8');

  /** What a shell prints. */
  function said(shell: string, args: readonly string[]): string[] {
    const env = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
    const out = execFileSync(shell, [...args], { encoding: 'utf8', env });
    return out.split('\n').filter((line) => line !== '');
  }

  /** What bash completes for a line. */
  function bash(line: string, lines: readonly string[]): { readonly replies: string[]; readonly asked: string } {
    const script = [
      completionScript('bash'),
      `COMP_LINE=$1 COMP_POINT=${'${#1}'}`,
      `_highwater "${answering(lines)}"`,
      'printf "%s\\n" "${COMPREPLY[@]}"',
    ];
    return { replies: said('bash', ['-c', script.join('\n'), 'bash', line]), asked: wasAsked() };
  }

  test('bash: words are asked for as they are typed, and quoted as the shell needs it', () => {
    expect(bash('highwater node kill lea', ['leader(orders-0)\twho leads'])).toEqual({
      ...{ replies: ['leader\\(orders-0\\)'], asked: '[__complete][--][node][kill][lea]' },
    });
    expect(bash('highwater topics describe ', ['orders', 'payments'])).toEqual({
      ...{ replies: ['orders', 'payments'], asked: '[__complete][--][topics][describe][]' },
    });
    expect(bash('highwater node kill leader\\(o', []).asked).toBe('[__complete][--][node][kill][leader(o]');
  });

  test('bash: what stands before "=" or ":" in the word is not answered again', () => {
    expect(bash('highwater fault add --do switch:hw', ['switch:hw.bound=off']).replies).toEqual(['hw.bound=off']);
    expect(bash('highwater status --cluster=d', ['--cluster=default']).replies).toEqual(['default']);
  });

  test.skipIf(!installed('fish'))('fish: words with what they are', () => {
    answering(['leader(orders-0)\twho leads', 'leader(orders-1)']);
    const complete = (line: string): string[] =>
      said('fish', ['--no-config', '-c', `${completionScript('fish')}\ncomplete -C '${line}'`]);
    expect(complete('highwater node kill lea')).toEqual(['leader(orders-0)\twho leads', 'leader(orders-1)']);
    expect(wasAsked()).toBe('[__complete][--][node][kill][lea]');
    complete('highwater topics describe ');
    expect(wasAsked()).toBe('[__complete][--][topics][describe][]');
  });

  test.skipIf(!installed('zsh'))('zsh: words are given to compadd as they are, those that go on apart', () => {
    const program = answering(['leader(orders-0)\twho leads', 'more/']);
    // compadd works below the editor alone.
    const shell = 'compdef() { }; compadd() { print -r -- "$@"; print -rl -- "${(@P)@[-1]}" "${(@P)@[-3]}"; }';
    const complete = (words: string, typed: string): string[] =>
      said('zsh', [
        '-f',
        '-c',
        `${shell}\n${completionScript('zsh')}\nwords=(${words}) CURRENT=4 PREFIX='${typed}'; _highwater`,
      ]);
    expect(complete(`'${program}' node kill 'leader\\(o'`, 'leader\\(o')).toEqual([
      ...['-l -d wholeSays -a whole', 'leader(orders-0)', 'leader(orders-0)  -- who leads'],
      ...['-S  -l -d openSays -a open', 'more/', 'more/'],
    ]);
    expect(wasAsked()).toBe('[__complete][--][node][kill][leader(o]');
    complete(`'${program}' topics describe ''`, '');
    expect(wasAsked()).toBe('[__complete][--][topics][describe][]');
  });
});

test.each(SHELLS)('%s: the script asks __complete', (shell) => {
  expect(completionScript(shell)).toMatch(/highwater|\$words\[1\]/);
  expect(completionScript(shell)).toContain('__complete');
});

test('bash reads its script without a word', () => {
  const checked = execFileSync('bash', ['-n'], { input: completionScript('bash'), encoding: 'utf8', stdio: 'pipe' });
  expect(checked).toBe('');
});
