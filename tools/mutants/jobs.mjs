// Runs jobs side by side, each in a process of its own that is ended with all it started when it takes too long: a mutant may
// never return. Knows nothing of what they do.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

class Job {
  #child;
  #answer;

  async ask(message, limitMs) {
    this.#child ??= await this.#start();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#over(resolve, { timedOut: true }), limitMs);
      this.#answer = (answer) => {
        clearTimeout(timer);
        resolve(answer);
      };
      this.#child.send(message);
    });
  }

  /** Ends the process and all that it started. */
  end() {
    const child = this.#child;
    this.#child = undefined;
    this.#answer = undefined;
    if (child === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      child.kill('SIGKILL');
    }
  }

  #over(resolve, answer) {
    this.end();
    resolve(answer);
  }

  #start() {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'child.mjs')], {
      // A group of its own, so that it can be ended as one.
      ...{ detached: true, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
      env: { ...process.env, NODE_ENV: 'test' },
    });
    let said = '';
    child.stderr.on('data', (bytes) => (said = (said + bytes).slice(-2000)));
    return new Promise((resolve, reject) => {
      child.on('message', (message) => (message.ready ? resolve(child) : this.#answer?.(message)));
      child.on('exit', () => {
        if (this.#child === child) this.#child = undefined;
        this.#answer?.({ failure: `the test runner ended: ${said}` });
        reject(new Error(`the test runner did not start: ${said}`));
      });
    });
  }
}

/**
 * Asks every message in its order, `count` at a time; `done(message, answer, ms)` as they come. Answers are what the job said:
 * `{result}`, `{failure}`, or `{timedOut: true}`.
 */
export async function askAll(messages, { count, limitMs, done }) {
  const queue = [...messages];
  const jobs = Array.from({ length: Math.max(1, Math.min(count, queue.length)) }, () => new Job());
  const endAll = () => jobs.forEach((job) => job.end());
  process.once('exit', endAll);
  try {
    await Promise.all(
      jobs.map(async (job) => {
        for (let message = queue.shift(); message !== undefined; message = queue.shift()) {
          const began = performance.now();
          done(message, await job.ask(message, limitMs(message)), performance.now() - began);
        }
      }),
    );
  } finally {
    process.off('exit', endAll);
    endAll();
  }
}
