// Which words can stand where the cursor is, with what they are. What a cluster or the disk knows is asked for through
// `Knowledge`; all else follows from the tree of commands and the tables of the product.
import type { Command } from 'commander';
import { kindOf, type FileKind, type Kind, type LiveKind } from './kinds.ts';
import { optionsOf, placeOf, visible, type Place } from './place.ts';

/** A word that can stand there. */
export interface Candidate {
  readonly word: string;
  /** What it is, in a few words. */
  readonly says?: string;
}

/** What is not written in the program. Each answers nothing rather than late. */
export interface Knowledge {
  /** Of the cluster that is named on the line, if one is. */
  live(kind: LiveKind, cluster: string | undefined): Promise<readonly string[]>;
  /** Paths that go on from `typed`; folders end with "/". */
  files(kind: FileKind, typed: string): readonly string[];
  clusters(): readonly string[];
}

/** `words`: what stands behind `highwater`; the last one is being typed, and may be empty. */
export async function candidates(
  program: Command,
  words: readonly string[],
  knowledge: Knowledge,
): Promise<Candidate[]> {
  const place = placeOf(program, words);
  switch (place.kind) {
    case 'verb':
      return begun(verbs(place.command), place.typed);
    case 'flag':
      return begun(flags(place), place.typed);
    case 'value':
      return values(place, knowledge);
    case 'nothing':
      return [];
  }
}

function verbs(command: Command): Candidate[] {
  return visible(command).map((each) => ({ word: each.name(), says: short(each.description()) }));
}

/** Those that were given already are gone, unless they are gathered. */
function flags({ command, used }: Place & { kind: 'flag' }): Candidate[] {
  const again = (text: string): boolean => text.includes('repeatable');
  return optionsOf(command)
    .filter(({ long, description }) => long !== undefined && (!used.has(long) || again(description)))
    .map(({ long, description }) => ({ word: long!, says: short(description) }));
}

async function values(place: Place & { kind: 'value' }, knowledge: Knowledge): Promise<Candidate[]> {
  const { verb, of, before, typed, given } = place;
  const kind = kindOf(verb, of, given);
  if (kind === undefined) return [];
  const words = await wordsOf(kind, place, knowledge);
  return begun(
    words.map((word) => ({ word })),
    typed,
  ).map(({ word }) => ({ word: `${before}${word}` }));
}

async function wordsOf(
  kind: Kind,
  { typed, given }: Place & { kind: 'value' },
  knowledge: Knowledge,
): Promise<readonly string[]> {
  if ('words' in kind) return kind.words;
  if ('files' in kind) return knowledge.files(kind.files, typed);
  if ('cluster' in kind) return knowledge.clusters();
  const words = await knowledge.live(kind.live, given.get('--cluster'));
  // Those of the cluster itself are for those who ask.
  return words.filter((word) => typed.includes('__') === word.includes('__') || typed.startsWith('_'));
}

function begun(all: readonly Candidate[], typed: string): Candidate[] {
  return all.filter(({ word }) => word.startsWith(typed));
}

const SHORT = 60;

/** The first few words of a description. */
function short(text: string): string {
  const first = text.split(/[;:(]/)[0]!.trim();
  return first.length <= SHORT ? first : `${first.slice(0, SHORT - 1)}…`;
}
