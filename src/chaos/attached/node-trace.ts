// The events of one node of a cluster that runs already, as its agent serves them from the node's file: what is new from now
// on, whatever becomes of node, agent and connection meanwhile. Of what is old only what says how the cluster is.
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLine } from '../../protocol/generated/index.ts';
import { remoteEvents } from '../../rpc/remote-events.ts';
import type { RemoteOptions } from '../../rpc/remote-service.ts';
import type { Stamped } from '../../trace/events.ts';

export interface NodeTraceOptions {
  readonly node: number;
  /** Its agent. */
  readonly agent: RemoteOptions;
  /** Types of events that are told although they are old. */
  readonly old: readonly string[];
  /** Each event once, in order. */
  readonly onEvent: (stamped: Stamped, json: string) => void;
}

/** Between a connection that broke and the next. */
const AGAIN_MS = 100;
/** The last words of a dead node are read within this, or the agent is as dead as the node. */
const LAST_WORDS_MS = 2000;

export class NodeTrace {
  readonly #options: NodeTraceOptions;
  readonly #end = new AbortController();
  /** What is told next; undefined until what is new has begun. */
  #next: { readonly line: number; readonly place: number } | undefined;
  #begun: () => void = () => undefined;
  /** Resolves when every event from now on will be told. */
  readonly begun: Promise<void>;

  constructor(options: NodeTraceOptions) {
    this.#options = options;
    this.begun = new Promise((resolve) => (this.#begun = resolve));
  }

  /** Tells until `close`. */
  async follow(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      await this.#read(true, signal).catch(() => undefined);
      if (!signal.aborted) await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Tells what is written and not told yet. Resolves also if the agent does not answer. */
  async catchUp(): Promise<void> {
    if (this.#next === undefined) return;
    const signal = AbortSignal.any([this.#end.signal, AbortSignal.timeout(LAST_WORDS_MS)]);
    await this.#read(false, signal).catch(() => undefined);
  }

  close(): void {
    this.#end.abort();
  }

  async #read(follow: boolean, signal: AbortSignal): Promise<void> {
    const { node, agent, old } = this.#options;
    const next = this.#next;
    const from =
      next === undefined
        ? { fromLine: 0, onlyNew: true, writtenTypes: [...old] }
        : { fromLine: next.line, fromPlace: next.place };
    for await (const line of remoteEvents(agent, { node, follow, ...from }, signal)) this.#take(line);
  }

  #take({ line, json, nextPlace }: EventLine): void {
    if (json === '') {
      this.#next = { line, place: nextPlace };
      this.#begun();
      return;
    }
    if (this.#end.signal.aborted || (this.#next !== undefined && line < this.#next.line)) return;
    if (this.#next !== undefined) this.#next = { line: line + 1, place: nextPlace };
    this.#options.onEvent(JSON.parse(json) as Stamped, json);
  }
}
