// One container of a cluster of many, as its engine treats it: another kill -9, another freeze, and a network that is really
// gone. Of what its agent does to the node alone, see Nodes.
import type { StartedNetwork, StartedTestContainer } from 'testcontainers';
import { getContainerRuntimeClient } from 'testcontainers';
import type { EngineContainer } from './agent-answers.ts';

/** A clean stop moves leaders away first. */
const STOP_S = 12;

export class NodeContainer {
  /** "controller", "broker-1", …: also where it is found in the network. */
  readonly name: string;
  /** What testcontainers knows of it: exec, logs, files. */
  readonly container: StartedTestContainer;
  readonly #network: StartedNetwork;

  constructor(name: string, container: StartedTestContainer, network: StartedNetwork) {
    this.name = name;
    this.container = container;
    this.#network = network;
  }

  /** SIGKILL to all that runs in it. What it had written stays. */
  async kill(): Promise<void> {
    await (await this.#engine()).kill();
  }

  /** Ends it in order. */
  async stop(): Promise<void> {
    await (await this.#engine()).stop({ t: STOP_S });
  }

  /** Starts one that was killed or stopped: its node starts with it, at the addresses it had. */
  async start(): Promise<void> {
    await (await this.#engine()).start();
  }

  /** Kills it and starts it again. */
  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  /** Freezes all that runs in it. Its connections stay. */
  async pause(): Promise<void> {
    await (await this.#engine()).pause();
  }

  async resume(): Promise<void> {
    await (await this.#engine()).unpause();
  }

  /** Takes it off the network of the other containers: no packet goes in or out. */
  async cut(): Promise<void> {
    await (await this.#attachment()).disconnect({ Container: this.container.getId(), Force: true });
  }

  /** Puts it back at its name. */
  async mend(): Promise<void> {
    const endpoint = { Aliases: [this.name] };
    await (await this.#attachment()).connect({ Container: this.container.getId(), EndpointConfig: endpoint });
  }

  /** Removes it, whatever its state, and all it had written. */
  async remove(): Promise<void> {
    await (await this.#engine()).remove({ force: true, v: true });
  }

  async #engine(): Promise<EngineContainer> {
    return (await getContainerRuntimeClient()).container.getById(this.container.getId());
  }

  async #attachment() {
    return (await getContainerRuntimeClient()).network.getById(this.#network.getId());
  }
}
