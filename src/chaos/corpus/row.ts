// One failure of the corpus: something that somebody really hit, and where its schedule is played.

/** Where a failure of the corpus is played, or why it is not. */
export type CorpusRow = {
  /** What happened, in a line. */
  readonly title: string;
} & (
  | {
      /** Its scenario: scenarios/corpus/FILE.yaml. Every variant is what it declares. */
      readonly file: string;
    }
  | {
      /** No schedule of a whole cluster can say it: a test of its core that cites it, and why. */
      readonly test: string;
      readonly why: string;
    }
  | {
      /** It cannot happen here, by construction. Not a pass. */
      readonly notApplicable: string;
    }
  | {
      /** Nobody has built it yet. */
      readonly open: string;
    }
);

/** By number: 7 is BUG-07. */
export type CorpusRows = Readonly<Record<number, CorpusRow>>;
