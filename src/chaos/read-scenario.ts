// Reads scenario files: YAML, its shape, then every variant and cell of the matrix resolved into a plan. Whatever is wrong
// is told with line and column and what to write instead.
import { isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml';
import type * as z from 'zod';
import { nearest } from '../fault/legality.ts';
import type { RunPlan, Scalar } from './plan.ts';
import { resolvePlan } from './resolve.ts';
import { Misfit, ScenarioError, type Path, type ScenarioErrorCode } from './scenario-error.ts';
import { KNOWN_KEYS, SCENARIO_SCHEMA, type RawScenario } from './schema.ts';

export interface ReadOptions {
  /** Overrides the file's seed. */
  readonly seed?: string;
  /** Only this variant. */
  readonly variant?: string;
}

/** The variant of a file that names none. */
export const ONLY_VARIANT = 'default';

/** The plans of a scenario, variant by variant and cell by cell. Throws ScenarioError. */
export function readScenario(text: string, file: string, options: ReadOptions = {}): RunPlan[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const source: Source = { text, file, lines, document };
  const [broken] = document.errors;
  if (broken !== undefined) throw errorAt(source, broken.pos[0], 'HW2414', `not YAML: ${broken.message}`);
  const tree: unknown = document.toJS();
  const first = checkShape(source, fill(tree, firstCell(tree)));
  const variants = Object.keys(first.variants ?? { [ONLY_VARIANT]: null });
  if (options.variant !== undefined && !variants.includes(options.variant)) {
    throw errorAt(source, 0, 'HW2413', `no variant "${options.variant}". Variants: ${variants.join(', ')}`);
  }
  const chosen = options.variant === undefined ? variants : [options.variant];
  return chosen.flatMap((variant) =>
    cellsOf(first).map((cell) => {
      const raw = checkShape(source, fill(tree, cell));
      try {
        return resolvePlan(raw, { variant, cell, ...(options.seed === undefined ? {} : { seed: options.seed }) });
      } catch (error) {
        if (error instanceof Misfit) throw errorAtPath(source, error.path, error.code, error.message);
        throw error;
      }
    }),
  );
}

interface Source {
  readonly text: string;
  readonly file: string;
  readonly lines: LineCounter;
  readonly document: Document.Parsed;
}

// ---- the matrix

type Cell = Readonly<Record<string, Scalar>>;

/** The cross product of the matrix, in the file's order. */
function cellsOf(raw: RawScenario): Cell[] {
  let cells: Cell[] = [{}];
  for (const [name, values] of Object.entries(raw.matrix ?? {})) {
    cells = cells.flatMap((cell) => values.map((value) => ({ ...cell, [name]: value })));
  }
  return cells;
}

/** Any cell, before the shape of the file is known: its values decide whether the shape is right. */
function firstCell(tree: unknown): Cell {
  const matrix = (tree as { matrix?: Record<string, unknown> } | null)?.matrix;
  if (typeof matrix !== 'object' || matrix === null) return {};
  const entries = Object.entries(matrix).map(([name, values]) => [name, Array.isArray(values) ? values[0] : values]);
  return Object.fromEntries(entries) as Cell;
}

/** Puts the cell's values in place of ${name}; a text that is nothing else takes the value as it is. */
function fill(tree: unknown, cell: Cell): unknown {
  if (typeof tree === 'string') {
    const whole = /^\$\{(\w[\w-]*)\}$/.exec(tree)?.[1];
    if (whole !== undefined && Object.hasOwn(cell, whole)) return cell[whole];
    return tree.replace(/\$\{(\w[\w-]*)\}/g, (all, name: string) =>
      Object.hasOwn(cell, name) ? String(cell[name]) : all,
    );
  }
  if (Array.isArray(tree)) return tree.map((item) => fill(item, cell));
  if (typeof tree !== 'object' || tree === null) return tree;
  return Object.fromEntries(
    Object.entries(tree).map(([key, value]) => [key, key === 'matrix' ? value : fill(value, cell)]),
  );
}

// ---- shape and places

function checkShape(source: Source, tree: unknown): RawScenario {
  const parsed = SCENARIO_SCHEMA.safeParse(tree);
  if (parsed.success) return parsed.data;
  const issue = deepest(parsed.error.issues);
  const path = issue.path as Path;
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const known = KNOWN_KEYS[String(path[0] ?? '')];
    const hint = known === undefined ? '' : ` Did you mean ${nearest(key, known)}?`;
    throw errorAtPath(source, [...path, key], 'HW2411', `no key "${key}" here.${hint}`);
  }
  const value = path.reduce<unknown>((at, key) => (at as Record<string | number, unknown> | undefined)?.[key], tree);
  const name = path.filter((key) => typeof key === 'string').at(-1) ?? 'the file';
  if (value === undefined) throw errorAtPath(source, path, 'HW2410', `${name} is missing: it ${issue.message}`);
  throw errorAtPath(source, path, 'HW2410', `${name} ${issue.message}, not ${JSON.stringify(value)}`);
}

/** The issue that lies deepest in the file says most; of a union, the branch that got furthest. */
function deepest(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  let best = issues[0]!;
  for (const issue of issues) {
    const candidate = issue.code === 'invalid_union' ? (insideUnion(issue) ?? issue) : issue;
    if (depth(candidate) > depth(best) || best.code === 'invalid_union') best = candidate;
  }
  return best;
}

/** A key that does not exist lies one deeper than its map, and is often why another one is missing. */
function depth(issue: z.core.$ZodIssue): number {
  return issue.path.length + (issue.code === 'unrecognized_keys' ? 1.5 : 0) - (issue.code === 'invalid_union' ? 1 : 0);
}

/** Of a map that has only keys of one branch: what that branch lacks or refuses. Else the union speaks for itself. */
function insideUnion(issue: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue | undefined {
  const branch = issue.errors.find((inner) => inner.every(({ path }) => path.length > 0));
  const first = branch?.[0];
  return first === undefined ? undefined : { ...first, path: [...issue.path, ...first.path] };
}

function errorAtPath(source: Source, path: Path, code: ScenarioErrorCode, message: string): ScenarioError {
  return errorAt(source, offsetOf(source.document.contents, path, code === 'HW2411'), code, message);
}

function errorAt(source: Source, offset: number, code: ScenarioErrorCode, message: string): ScenarioError {
  const { line, col } = source.lines.linePos(offset);
  const text = source.text.split('\n')[line - 1] ?? '';
  return new ScenarioError(
    code,
    { file: source.file, line: Math.max(line, 1), column: Math.max(col, 1), text },
    message,
  );
}

/** Where a path stands in the text: its value if that is on its line, else its key, or the nearest thing around it. */
function offsetOf(node: Node | null, path: Path, atKey: boolean): number {
  const start = node?.range?.[0] ?? 0;
  const [key, ...rest] = path;
  if (key === undefined || node === null) return start;
  if (isSeq(node)) {
    const item = node.items[Number(key)];
    return item === undefined ? start : offsetOf(item as Node, rest, atKey);
  }
  if (!isMap(node)) return start;
  for (const pair of node.items) {
    if (!isPair(pair) || !isScalar(pair.key) || String(pair.key.value) !== String(key)) continue;
    const value = pair.value as Node | null;
    if (value !== null && (rest.length > 0 || (isScalar(value) && !atKey))) return offsetOf(value, rest, atKey);
    return pair.key.range?.[0] ?? start;
  }
  return start;
}
