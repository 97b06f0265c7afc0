// The corpus as a table: each failure with its scenarios or the test that cites it, and the safeguards that are shown there.
import type { Safeguard } from '../../fault/safeguards.ts';
import { CORPUS } from '../corpus.ts';
import type { CorpusRow } from '../corpus/row.ts';
import { SHOWN_IN } from './shown-in.ts';

export interface CorpusLine {
  readonly number: number;
  readonly title: string;
  readonly kind: 'scenario' | 'test' | 'not applicable' | 'open';
  /** Files: scenarios, or one test. */
  readonly where: readonly string[];
  /** Why it is no scenario; empty if it is. */
  readonly why: string;
  readonly safeguards: readonly Safeguard[];
}

/** By number, ascending. */
export function corpusRows(): CorpusLine[] {
  return Object.entries(CORPUS).map(([number, row]) => {
    const shown = shownIn(Number(number));
    const safeguards = shown.map(({ safeguard }) => safeguard);
    return {
      number: Number(number),
      title: row.title,
      ...placeOf(row, [...new Set(shown.map(({ file }) => file))]),
      safeguards,
    };
  });
}

function placeOf(row: CorpusRow, more: readonly string[]): Pick<CorpusLine, 'kind' | 'where' | 'why'> {
  if ('test' in row) return { kind: 'test', where: [row.test], why: row.why };
  if ('notApplicable' in row) return { kind: 'not applicable', where: [], why: `not applicable: ${row.notApplicable}` };
  if ('open' in row) return { kind: 'open', where: [], why: `**open**: ${row.open}` };
  return { kind: 'scenario', where: [...new Set([`scenarios/corpus/${row.file}.yaml`, ...more])], why: '' };
}

/** Safeguards that a scenario of this number shows. */
function shownIn(number: number): { readonly safeguard: Safeguard; readonly file: string }[] {
  const start = `scenarios/corpus/bug-${String(number).padStart(2, '0')}-`;
  return (Object.keys(SHOWN_IN) as Safeguard[]).flatMap((safeguard) => {
    const shown = SHOWN_IN[safeguard];
    return 'file' in shown && shown.file.startsWith(start) ? [{ safeguard, file: shown.file }] : [];
  });
}
