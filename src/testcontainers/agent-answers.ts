// When a container is ready for more: its agent answers. Its nodes do not run then, since they are told first where clients
// outside find them. A container that ends, or is too late, fails with the end of its log.
import { setTimeout as delay } from 'node:timers/promises';
import { getContainerRuntimeClient, type WaitStrategy } from 'testcontainers';
import { agentClient } from '../agent/agent-client.ts';
import { INSIDE } from '../agent/container-layout.ts';
import { CallFailed } from '../rpc/remote-service.ts';
import { StartFailed } from './start-failed.ts';

/** A container as the engine's client has it. */
export type EngineContainer = Parameters<WaitStrategy['waitUntilReady']>[0];

const ASK_MS = 1000;
const LOOK_EVERY_MS = 50;
const LOG_LINES = 30;
/** Of the log of an engine without a terminal: kind, three zeros, length. */
const FRAME_HEADER = 8;

export class AgentAnswers implements WaitStrategy {
  readonly #secret: string;
  #withinMs = 60_000;
  #timeoutSet = false;

  constructor(secret: string) {
    this.#secret = secret;
  }

  async waitUntilReady(
    container: EngineContainer,
    ports: Parameters<WaitStrategy['waitUntilReady']>[1],
  ): Promise<void> {
    const { host } = (await getContainerRuntimeClient()).info.containerRuntime;
    const at = { pid: 0, startTime: '', port: ports.getBinding(INSIDE.agentPort) };
    const agent = agentClient({ host, agent: at, secret: this.#secret });
    const end = performance.now() + this.#withinMs;
    try {
      for (;;) {
        const why = await whyNot(agent.call('DescribePlace', {}, ASK_MS));
        if (why === undefined) return;
        await stillRuns(container);
        if (performance.now() > end)
          throw await failed(container, `its agent did not answer within ${this.#withinMs / 1000} s (${why})`);
        await delay(LOOK_EVERY_MS);
      }
    } finally {
      agent.close();
    }
  }

  withStartupTimeout(startupTimeoutMs: number): this {
    [this.#withinMs, this.#timeoutSet] = [startupTimeoutMs, true];
    return this;
  }

  isStartupTimeoutSet(): boolean {
    return this.#timeoutSet;
  }

  getStartupTimeout(): number {
    return this.#withinMs;
  }
}

/** Throws StartFailed if it has ended. */
export async function stillRuns(container: EngineContainer): Promise<void> {
  const { State: state } = await container.inspect();
  if (state.Status === 'exited' || state.Status === 'dead')
    throw await failed(container, `it ended with exit code ${state.ExitCode}`);
}

/** A failure with the end of the container's log. */
export async function failed(container: EngineContainer, why: string): Promise<StartFailed> {
  const { Name: name } = await container.inspect();
  return new StartFailed(
    `container ${name.slice(1)} did not start: ${why}. The end of its log:\n${await logOf(container)}`,
  );
}

/** The end of what a container printed. */
async function logOf(container: EngineContainer): Promise<string> {
  const raw = (await container.logs({ follow: false, stdout: true, stderr: true, tail: LOG_LINES })) as Buffer;
  let text = '';
  for (let at = 0; at + FRAME_HEADER <= raw.length;) {
    const length = raw.readUInt32BE(at + 4);
    text += raw.toString('utf8', at + FRAME_HEADER, at + FRAME_HEADER + length);
    at += FRAME_HEADER + length;
  }
  return text === '' ? '(nothing)' : text;
}

async function whyNot(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    return error.message;
  }
}
