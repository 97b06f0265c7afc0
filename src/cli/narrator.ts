// Tells a run as it happens, in sentences: who wrote what, who read what, who died, who leads. Runs of the same kind are
// told as one. Knows the history and the events of nodes; decides nothing.
import type { HistoryEntry, PollOp, SendOp } from '../history/operations.ts';
import { isInternalTopic } from '../protocol/topic-name.ts';
import type { Stamped } from '../trace/events.ts';

type Sent = Extract<HistoryEntry, { f: 'send' }>;

export class Narrator {
  readonly #tell: (line: string) => void;
  readonly #started = performance.now();
  #writes: SendOp[] = [];
  readonly #told = new Set<string>();

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
  }

  entry(entry: HistoryEntry): void {
    if (entry.f === 'send' && entry.type === 'ok') this.#wrote(entry);
    else if (entry.f === 'poll' && entry.type === 'ok') this.#read(entry);
    else if ((entry.f === 'commit' || entry.f === 'abort') && entry.type === 'ok') {
      this.#line('', `${entry.process} is told that its ${entry.f} is decided`);
    } else if (entry.f === 'position') this.#moved(entry);
    else if (entry.f === 'fault' && entry.action !== 'hold' && entry.frees === undefined) this.#struck(entry);
  }

  event({ event, node }: Stamped): void {
    if ('topic' in event && isInternalTopic(event.topic)) return;
    if (event.type === 'txn.loaded') {
      for (const { transactionalId, state } of event.transactions) {
        this.#line(
          '!!',
          `broker ${node} coordinates ${transactionalId} now, and reads in its copy of the log: ${state}`,
        );
      }
    } else if (event.type === 'txn.record' && event.phase === 'applied' && event.record !== null) {
      const { transactionalId, record } = event;
      this.#line('', `the coordinator, broker ${node}: ${transactionalId} is in state ${record.state}`);
    } else if (event.type === 'elected' && event.leader >= 0 && event.reason !== 'created') {
      this.#line(
        '!!',
        `broker ${event.leader} is elected leader of ${event.topic}-${event.partition} (leader epoch ${event.leaderEpoch})`,
      );
    } else if (event.type === 'fault.held' && this.#once(`held ${event.fault}`)) {
      this.#line('!!', `answers to the copies are held back from here on (fault ${event.fault}, on broker ${node})`);
    } else if (event.type === 'leader.started' && event.leaderEpoch > 0) {
      this.#line('', `its last record is at offset ${event.epochStart - 1}: the next one gets ${event.epochStart}`);
    }
  }

  /** The run is over. */
  close(): void {
    this.#flushWrites();
  }

  #wrote(entry: Sent): void {
    const last = this.#writes.at(-1);
    if (last !== undefined && (entry.offset !== (last.offset ?? -2) + 1 || entry.acks !== last.acks))
      this.#flushWrites();
    this.#writes.push(entry);
  }

  #flushWrites(): void {
    const [first] = this.#writes;
    const last = this.#writes.at(-1);
    this.#writes = [];
    if (first === undefined || last === undefined) return;
    const values = first === last ? `"${first.value}"` : `"${first.value}" to "${last.value}"`;
    const offsets = first === last ? `offset ${first.offset}` : `offsets ${first.offset} to ${last.offset}`;
    this.#line('', `${first.process} wrote ${values} at ${offsets}`);
  }

  #read({ process, records = [], from, to }: PollOp): void {
    this.#flushWrites();
    if (records.length === 0) {
      if (this.#once(`${process} waits at ${to}`))
        this.#line('', `${process} waits at offset ${to}: it is given nothing`);
      return;
    }
    const seen = records.map(({ offset, value }) => `${offset}="${value}"`).join(' ');
    this.#line('', `${process} read from ${from}: ${seen}`);
  }

  #moved({ process, why, from, to }: Extract<HistoryEntry, { f: 'position' }>): void {
    if (why === 'truncated')
      this.#line('!!', `${process} is told that the log was cut: it goes back from ${from} to ${to}`);
  }

  #struck({ action, detail }: Extract<HistoryEntry, { f: 'fault' }>): void {
    const how: Readonly<Record<string, string>> = {
      kill: 'is killed (SIGKILL)',
      pause: 'is frozen (SIGSTOP)',
      start: 'is started',
    };
    this.#line('!!', `${detail.replace(/^node /, 'broker ')} ${how[action] ?? action}`);
  }

  #once(what: string): boolean {
    if (this.#told.has(what)) return false;
    this.#told.add(what);
    return true;
  }

  #line(mark: string, text: string): void {
    if (mark !== '') this.#flushWrites();
    const seconds = ((performance.now() - this.#started) / 1000).toFixed(1).padStart(5);
    this.#tell(`   ${seconds} s ${mark.padEnd(2)} ${text}`);
  }
}
