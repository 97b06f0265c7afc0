// The administration of a run's cluster over gRPC: topics, elections, what replicas hold. Every call has a deadline; what
// does not answer is reported as such.
import { hostOf, type ClusterState, type NodeState } from '../../agent/home.ts';
import type { NodeId, TopicPartition } from '../../base/units.ts';
import type { RequestOf, ResponseOf, UnaryApi, UnaryApis } from '../../protocol/apis.ts';
import { ERRORS } from '../../protocol/errors.ts';
import type * as pb from '../../protocol/generated/index.ts';
import { RemoteService } from '../../rpc/remote-service.ts';
import type { Done, ElectionRequest } from '../driver.ts';
import type { TopicPlan } from '../plan.ts';
import { reassignmentRequest, topicRequest } from '../topic-request.ts';

type ControllerMethods = {
  CreateTopics: { request: pb.CreateTopicsRequest; response: pb.CreateTopicsResponse };
  DeleteTopics: { request: pb.DeleteTopicsRequest; response: pb.DeleteTopicsResponse };
  ElectLeaders: { request: pb.ElectLeadersRequest; response: pb.ElectLeadersResponse };
  AlterPartitionReassignments: UnaryApis['AlterPartitionReassignments'];
  DescribeCluster: { request: pb.DescribeClusterRequest; response: pb.DescribeClusterResponse };
};

const CALL_MS = 3000;

export class ClusterCalls {
  readonly #controller: RemoteService<ControllerMethods>;
  readonly #brokers = new Map<
    NodeId,
    RemoteService<UnaryApis & Record<string, { request: object; response: object }>>
  >();

  constructor(state: ClusterState) {
    const at = (node: NodeState) => ({ host: hostOf(state, node), port: node.grpcPort, secret: state.secret });
    const controller = state.nodes.find((node) => node.role === 'controller')!;
    this.#controller = new RemoteService('ControllerAdmin', at(controller));
    for (const node of state.nodes) {
      if (node.role === 'broker') this.#brokers.set(node.id, new RemoteService('BrokerClient', at(node)));
    }
  }

  /** Whether `brokers` brokers are unfenced and every partition of `topics` is led by a broker that leads. */
  async ready(brokers: number, topics: readonly TopicPlan[]): Promise<boolean> {
    try {
      const state = await this.#controller.call('DescribeCluster', {}, CALL_MS);
      if (state.brokers.filter((broker) => !broker.fenced).length < brokers) return false;
      const wanted = topics.map(({ name }) => state.topics.find((topic) => topic.name === name));
      const led = await Promise.all(wanted.map((topic) => topic !== undefined && this.#isLed(topic)));
      return led.every(Boolean);
    } catch {
      return false;
    }
  }

  /** Topics that there are, those of the cluster itself too. Rejects if the controller does not answer. */
  async topicNames(): Promise<readonly string[]> {
    return (await this.#controller.call('DescribeCluster', {}, CALL_MS)).topics.map(({ name }) => name);
  }

  async #isLed(topic: pb.TopicDescription): Promise<boolean> {
    const leads = topic.partitions.map(async ({ partition, leader }) => {
      const asked = { topic: topic.name, partition, fromOffset: -1, maxBatches: 0 };
      const answer = await this.#brokers.get(leader)?.call('DescribeReplicas', asked, CALL_MS);
      return answer?.replicas[0]?.role === 'leader';
    });
    return (await Promise.all(leads)).every(Boolean);
  }

  /** Throws a sentence. */
  async createTopics(plans: readonly TopicPlan[]): Promise<void> {
    if (plans.length === 0) return;
    const request = { topics: plans.map(topicRequest), validateOnly: false };
    const { topics } = await this.#controller.call('CreateTopics', request, CALL_MS);
    const failed = topics.find((topic) => topic.error !== 'NONE');
    if (failed !== undefined)
      throw new Error(`topic ${failed.name}: ${failed.errorMessage || ERRORS[failed.error].message}`);
  }

  elect({ type, topic, partition, to }: ElectionRequest, done: Done): void {
    this.#controller.call('ElectLeaders', { type, topic, partition, to }, CALL_MS).then(
      ({ results: [result] }) => {
        if (result === undefined) done('the controller gave no answer');
        else if (result.error === 'NONE') done();
        else done(result.errorMessage || ERRORS[result.error].message);
      },
      (error: Error) => done(`the controller did not answer: ${error.message}`),
    );
  }

  reassign(of: TopicPartition, replicas: readonly NodeId[] | null, done: Done): void {
    this.#controller.call('AlterPartitionReassignments', reassignmentRequest(of, replicas), CALL_MS).then(
      ({ partitions: [altered] }) => {
        if (altered === undefined) done('the controller gave no answer');
        else if (altered.error === 'NONE') done();
        else done(altered.errorMessage || ERRORS[altered.error].message);
      },
      (error: Error) => done(`the controller did not answer: ${error.message}`),
    );
  }

  deleteTopic(name: string, done: Done): void {
    this.#controller.call('DeleteTopics', { names: [name], topicIds: [] }, CALL_MS).then(
      ({ topics: [deleted] }) => {
        if (deleted === undefined) done('the controller gave no answer');
        else if (deleted.error === 'NONE') done();
        else done(ERRORS[deleted.error].message);
      },
      (error: Error) => done(`the controller did not answer: ${error.message}`),
    );
  }

  /** Asks a broker; undefined if it does not answer in time. */
  ask<A extends UnaryApi>(
    node: NodeId,
    api: A,
    request: RequestOf<A>,
    done: (response: ResponseOf<A> | undefined) => void,
  ): void {
    const call = this.#brokers.get(node)?.call(api, request, CALL_MS);
    if (call === undefined) setImmediate(() => done(undefined));
    else
      call.then(
        (response) => done(response as unknown as ResponseOf<A>),
        () => done(undefined),
      );
  }

  close(): void {
    this.#controller.close();
    for (const broker of this.#brokers.values()) broker.close();
  }
}
