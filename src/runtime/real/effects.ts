// What a fault does to the process of its own node, exactly at its point (design section 6): the cores get no event any
// more, what they had handed to the network before the point leaves, the firing is written down, and the node sends itself
// the signal. A signal from outside arrives up to a hundred turns of the event loop late.
import { spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { FaultEffects, Firing } from '../../fault/effects.ts';
import type { FaultAction } from '../../protocol/generated/index.ts';
import type { TraceEvent } from '../../trace/events.ts';
import type { Turns } from './turns.ts';

/** Name of the firing file in a node's data directory: one JSON line for each time the node struck itself. */
export const FIRING_FILE = 'firings.ndjson';

/** Longest wait for messages sent before the point. */
const DRAIN_BOUND_MS = 500;

/** Asks the agent for what reaches beyond this process; `done` says why not, and is never called inside the call. */
export type ActElsewhere = (action: FaultAction, done: (refused?: string) => void) => void;

export interface ProcessEffectsOptions {
  readonly turns: Turns;
  readonly elsewhere: ActElsewhere;
  /** Path of the firing file. */
  readonly firingFile: string;
  /** Calls back when what was handed to the network has left, after `boundMs` at the latest. */
  readonly drained: (boundMs: number, done: () => void) => void;
  /** Puts an event into the event file, though the cores may say nothing any more. */
  readonly record: (event: TraceEvent) => void;
  /** Writes the event file. */
  readonly flush: () => void;
  readonly signals: OwnSignals;
}

/** What a process does to itself; injected, because a test outlives it. */
export interface OwnSignals {
  send(name: 'SIGKILL' | 'SIGSTOP'): void;
  /** Has this process sent SIGCONT after so long, although it is frozen then. */
  wakeAfter(durationMs: number): void;
}

/** How often the shell that will wake this process looks whether it is still there. */
const LOOK_EVERY_MS = 100;

/** The signals of this process. A frozen process cannot wake itself, and its agent may be gone: a shell waits for it. */
export const OWN_SIGNALS: OwnSignals = {
  send: (name) => process.kill(process.pid, name),
  wakeAfter: (durationMs) => {
    const rest = (durationMs % LOOK_EVERY_MS) / 1000;
    const looks = Math.floor(durationMs / LOOK_EVERY_MS);
    // It does not outlive this process: whoever ends a cluster leaves nothing.
    const command =
      `n=${looks}; sleep ${rest}; while [ $n -gt 0 ] && kill -0 ${process.pid}; ` +
      `do sleep ${LOOK_EVERY_MS / 1000}; n=$((n-1)); done; kill -CONT ${process.pid}`;
    spawn('/bin/sh', ['-c', command], { detached: true, stdio: 'ignore' })
      .on('error', () => undefined)
      .unref();
  },
};

/** The effects of faults in a process. */
export function createProcessEffects(options: ProcessEffectsOptions): FaultEffects {
  const { turns, elsewhere, drained, record, flush, signals } = options;
  const strike = (firing: Firing, then: () => void): void => {
    record(firedEvent(firing));
    flush();
    drained(DRAIN_BOUND_MS, () => {
      appendLine(options.firingFile, { ...firing, time: Date.now() });
      then();
    });
  };
  return {
    kill: (firing) => {
      turns.stop();
      strike(firing, () => signals.send('SIGKILL'));
    },
    pause: (firing, durationMs, resumed) => {
      turns.hold();
      strike(firing, () => {
        if (durationMs > 0) signals.wakeAfter(durationMs);
        signals.send('SIGSTOP');
        // The next turn of the event loop comes after SIGCONT.
        setImmediate(() => turns.resumeWith(resumed));
      });
    },
    elsewhere: (_firing, action, done) => {
      elsewhere(action, (refused) => turns.deliver(() => done(refused)));
    },
  };
}

function firedEvent(firing: Firing): TraceEvent {
  const { fault, point, action, fields } = firing;
  return { type: 'fault.fired', fault, point, action, fields };
}

/**
 * A plain synchronous write: it is in the kernel before the signal is sent. A disk that takes no more does not keep a node
 * from striking itself.
 */
function appendLine(path: string, line: object): void {
  try {
    const fd = openSync(path, 'a', 0o600);
    writeSync(fd, JSON.stringify(line) + '\n');
    closeSync(fd);
  } catch (error) {
    process.stderr.write(`the firing file cannot be written: ${(error as Error).message}\n`);
  }
}
