// A container of the image, as testcontainers knows containers: its first process is an agent that waits. All its ports are
// published on ports of the host that are asked for, so that they are the same after its death; what the engine has really
// published is read when it has started. A class that extends, since that is how a module of testcontainers is made.
import { randomBytes } from 'node:crypto';
import type { ImageName } from 'testcontainers';
import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer } from 'testcontainers';
import { freePorts } from '../agent/ports.ts';
import { AgentAnswers } from './agent-answers.ts';
import { explained, imageMissing, portIsTaken } from './start-failed.ts';

/** How often other ports are tried when somebody was quicker. */
const ATTEMPTS = 5;

/** A secret for a cluster. */
export function drawSecret(): string {
  return randomBytes(24).toString('base64url');
}

export class AgentContainer extends GenericContainer {
  readonly #secret: string;
  #created: string | undefined;

  constructor(image: string, secret: string) {
    super(image);
    this.#secret = secret;
    // The engine's init in front of the agent: it reaps what `exec` leaves behind, which a Node process cannot.
    this.hostConfig.Init = true;
    this.withWaitStrategy(new AgentAnswers(secret));
  }

  /** The cluster's secret. */
  protected get secret(): string {
    return this.#secret;
  }

  /**
   * Starts it; resolves when its agent answers. Throws StartFailed.
   * @param ports Those to publish, besides what `withExposedPorts` says.
   */
  async startAgent(ports: readonly number[]): Promise<StartedTestContainer> {
    const image = this.imageName.string;
    const before = { exposed: this.exposedPorts, bound: this.hostConfig.PortBindings };
    for (let attempt = 1; ; attempt++) {
      try {
        await requireImage(this.imageName);
        const free = await freePorts({ ...ANY, count: ports.length });
        this.exposedPorts = before.exposed;
        this.hostConfig.PortBindings = before.bound;
        this.withExposedPorts(...ports.map((container, index) => ({ container, host: free[index]! })));
        return await super.start();
      } catch (error) {
        await this.#removeCreated();
        if (!portIsTaken(error) || attempt === ATTEMPTS) throw explained(error, image);
      }
    }
  }

  protected override containerCreated(containerId: string): Promise<void> {
    this.#created = containerId;
    return Promise.resolve();
  }

  /** An engine keeps a container that it could not start. */
  async #removeCreated(): Promise<void> {
    const created = this.#created;
    this.#created = undefined;
    if (created === undefined) return;
    const { container } = await getContainerRuntimeClient();
    await container
      .getById(created)
      .remove({ force: true, v: true })
      .catch(() => undefined); // Whoever waited for it may have removed it already.
  }
}

const ANY = { host: '127.0.0.1', consecutive: false, taken: new Set<number>() } as const;

/** An image without a registry in its name is one that somebody builds here: it is not looked for elsewhere. */
async function requireImage(image: ImageName): Promise<void> {
  const client = await getContainerRuntimeClient();
  if (await client.image.exists(image)) return;
  if (image.registry === undefined && !image.image.includes('/')) throw imageMissing(image.string);
  try {
    await client.image.pull(image);
  } catch (error) {
    throw imageMissing(image.string, (error as Error).message);
  }
}
