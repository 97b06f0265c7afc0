// Where in the tree of commands a command line that is being typed stands: what the word under the cursor can be. Knows the
// tree alone, and nothing of values.
import type { Command, Option } from 'commander';

/** What the word under the cursor can be. `typed` is what stands there already. */
export type Place =
  | { readonly kind: 'flag'; readonly command: Command; readonly used: ReadonlySet<string>; readonly typed: string }
  | {
      readonly kind: 'value';
      /** "topics describe", or "" of the program itself. */
      readonly verb: string;
      /** "--topic", or the name of an argument. */
      readonly of: string;
      /** What stands before the value in the same word: "--topic=". */
      readonly before: string;
      readonly typed: string;
      /** Values of flags that were given, by flag. */
      readonly given: ReadonlyMap<string, string>;
    }
  | { readonly kind: 'verb'; readonly command: Command; readonly typed: string }
  /** Nothing can stand there. */
  | { readonly kind: 'nothing' };

/** `words`: what stands behind `highwater`; the last one is being typed, and may be empty. */
export function placeOf(program: Command, words: readonly string[]): Place {
  const walk = new Walk(program);
  for (const word of words.slice(0, -1)) walk.pass(word);
  return walk.at(words.at(-1) ?? '');
}

class Walk {
  #command: Command;
  readonly #verb: string[] = [];
  /** Words that were arguments of the command. */
  #taken = 0;
  /** A flag whose value comes next. */
  #waiting: Option | undefined;
  #flagsEnded = false;
  readonly #used = new Set<string>();
  readonly #given = new Map<string, string>();

  constructor(program: Command) {
    this.#command = program;
  }

  pass(word: string): void {
    if (this.#waiting !== undefined) {
      this.#given.set(nameOf(this.#waiting), word);
      this.#waiting = undefined;
    } else if (word === '--') this.#flagsEnded = true;
    else if (word.startsWith('-') && !this.#flagsEnded) this.#passFlag(word);
    else this.#passWord(word);
  }

  #passFlag(word: string): void {
    const [name, value] = cut(word);
    const option = optionsOf(this.#command).find(({ short, long }) => name === short || name === long);
    if (option === undefined) return;
    this.#used.add(nameOf(option));
    if (value !== undefined) this.#given.set(nameOf(option), value);
    else if (option.required) this.#waiting = option;
  }

  #passWord(word: string): void {
    const child = visible(this.#command).find((each) => each.name() === word);
    if (child === undefined || this.#taken > 0) this.#taken += 1;
    else {
      this.#command = child;
      this.#verb.push(word);
    }
  }

  at(typed: string): Place {
    const verb = this.#verb.join(' ');
    const value = { kind: 'value', verb, given: this.#given } as const;
    if (this.#waiting !== undefined) return { ...value, of: nameOf(this.#waiting), before: '', typed };
    if (typed.startsWith('-') && !this.#flagsEnded) {
      const [name, part] = cut(typed);
      if (part !== undefined) return { ...value, of: name, before: `${name}=`, typed: part };
      return { kind: 'flag', command: this.#command, used: this.#used, typed };
    }
    const seats = this.#command.registeredArguments;
    const seat = seats[this.#taken] ?? (seats.at(-1)?.variadic === true ? seats.at(-1) : undefined);
    if (seat !== undefined) return { ...value, of: seat.name(), before: '', typed };
    if (this.#taken === 0 && this.#command.commands.length > 0) return { kind: 'verb', command: this.#command, typed };
    return { kind: 'nothing' };
  }
}

const nameOf = (option: Option): string => option.long ?? option.short ?? '';

/** "--topic=orders" in two; without "=" the second is undefined. */
function cut(word: string): [string, string | undefined] {
  const at = word.indexOf('=');
  return at < 0 || !word.startsWith('--') ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

/** The verbs below a command that people are told of. */
export function visible(command: Command): Command[] {
  return command.commands.filter((each) => !each.name().startsWith('_'));
}

/** The flags of a command: its own, and those that every command takes. */
export function optionsOf(command: Command): Option[] {
  const up = command.parent === null ? [] : optionsOf(command.parent);
  return [...command.options, ...up].filter(({ hidden }) => !hidden);
}
