// Results for people: absolute figures, the yardstick's, the value that is judged, and the bar.
import { isMet, type Bar, type Figure, type Result } from './figures.ts';

const HEADINGS = ['row', 'what', 'figure', 'yardstick', 'judged', 'bar', ''] as const;

/** Three digits that count, thousands set apart. */
export function formatNumber(value: number): string {
  if (value >= 1000) return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ' ');
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function formatFigure({ median, min, max, unit }: Figure): string {
  const range = min === max ? '' : ` (${formatNumber(min)}..${formatNumber(max)})`;
  return `${formatNumber(median)}${range} ${unit}`;
}

function formatBar(bar: Bar, unit: string): string {
  return `${bar.kind === 'at most' ? '<=' : '>='} ${formatNumber(bar.value)} ${unit}`;
}

function cellsOf(result: Result): string[] {
  const { row, what, figure, yardstick, judged, bar } = result;
  const met = isMet(result);
  return [
    row,
    what,
    formatFigure(figure),
    yardstick === undefined ? '' : `${yardstick.what}: ${formatFigure(yardstick)}`,
    judged === undefined ? '' : formatFigure(judged),
    bar === undefined || judged === undefined ? '' : formatBar(bar, judged.unit),
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ];
}

/** The table of all results. */
export function formatTable(results: readonly Result[]): string {
  const lines = [[...HEADINGS], ...results.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
  const text = lines.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  return text.join('\n') + '\n';
}
