// Types of the mutants and of the page of rules, for their tests.
interface MutantRow {
  readonly id: string;
  readonly breaks: string;
  readonly part: string;
  readonly what: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly test?: readonly [string, string];
  readonly sim?: readonly ['replication' | 'txn', number];
}
interface JobAnswer {
  readonly timedOut?: true;
  readonly failure?: string;
  readonly result?: {
    readonly tests: readonly { title: string; state: 'passed' | 'failed'; says: string }[];
    readonly broken: readonly string[];
  };
}
declare module '*/mutants/table.mjs' {
  export function mutants(): MutantRow[];
  export const REPLICATION: ReadonlySet<string>;
  export const SEEDS_MAX: number;
}
declare module '*/mutants/stale.mjs' {
  export function mutate(text: string, row: Pick<MutantRow, 'find' | 'replace'>): { text?: string; problem?: string };
  export function staleProblems(top: string, rows: readonly MutantRow[]): Map<string, string>;
}
declare module '*/mutants/verdict.mjs' {
  export function verdictOf(
    row: MutantRow,
    by: 'test' | 'sim',
    answer: JobAnswer,
  ): { killed: boolean; how?: string; says?: string; problem?: string };
  export function redProblem(row: MutantRow, answer: JobAnswer): string | undefined;
}
declare module '*/rules/citations.mjs' {
  export function citedRules(text: string, has: (rule: string) => boolean): Set<string>;
  export function rulesOf(word: string, text: string): { rule: string; says: string }[];
}
