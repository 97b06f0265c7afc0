// A process of the benchmark itself: the same program, started under the name of a part. Calls go over Node's pipe between
// parent and child. A part ends when that pipe does, so it never outlives the benchmark.
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { nodeEnvironment } from '../src/agent/node-environment.ts';
import { roomForBuffers } from '../src/runtime/real/heap.ts';

/** What a part can be asked for. */
export type Handlers = Readonly<Record<string, (args: never) => unknown>>;

interface Question {
  readonly id: number;
  readonly call: string;
  readonly args: unknown;
}

type Answer = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: string };

/** The argument that makes this program a part. */
export const PART_FLAG = '--part';

/** Longest time until a process has loaded. */
const READY_MS = 30_000;

/** The parent's end. */
export class Part {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  /** Resolves when it can be called. */
  readonly ready: Promise<void>;
  #nextId = 1;

  constructor(child: ChildProcess, name: string) {
    this.#child = child;
    this.ready = new Promise((resolve, reject) => {
      this.#waiting.set(0, { resolve: () => resolve(), reject });
    });
    const timer = setTimeout(() => this.#fail(`part ${name} did not start`), READY_MS);
    child.on('message', (message) => {
      clearTimeout(timer);
      this.#hear(message as Answer);
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      this.#fail(`part ${name} ended (${signal ?? code})`);
    });
    child.on('error', (error) => this.#fail(`part ${name}: ${error.message}`));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Calls a handler of the part. */
  call<Value>(call: string, args: unknown = {}): Promise<Value> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#child.send({ id, call, args } satisfies Question, (error) => {
        if (error !== null) reject(error);
      });
    });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #hear(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('error' in answer) waiting?.reject(new Error(answer.error));
    else waiting?.resolve(answer.value);
  }

  #fail(reason: string): void {
    for (const { reject } of this.#waiting.values()) reject(new Error(reason));
    this.#waiting.clear();
  }
}

/** Starts this program as a part, with the environment that an agent gives a node. */
export function startPart(name: string): Part {
  const program = fileURLToPath(import.meta.url);
  const env = nodeEnvironment(process.env);
  const child = fork(program, [PART_FLAG, name], { env, execArgv: process.execArgv, serialization: 'json' });
  return new Part(child, name);
}

/** The child's end: serves `handlers` until the parent is gone, with a node's heap settings. */
export function servePart(handlers: Handlers): void {
  roomForBuffers();
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches every process of the terminal; the parent decides when a part ends.
  process.on('SIGINT', () => undefined);
  process.on('message', (message) => void answer(handlers, message as Question));
  process.send?.({ id: 0, value: undefined });
}

async function answer(handlers: Handlers, { id, call, args }: Question): Promise<void> {
  try {
    const value = await handlers[call]?.(args as never);
    process.send?.({ id, value });
  } catch (error) {
    process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}
