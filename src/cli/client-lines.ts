// How other clients reach a cluster: the bootstrap list, and for each client that is known one line to paste into a shell. A
// line writes a record, and where the client has a command for it reads the topic from its start. Every line is tried as it is
// printed (test/clients).
import { hostOf, type ClusterState, type NodeState } from '../agent/home.ts';
import type { Address } from '../agent/kafka-listeners.ts';
import { Problem } from './problem.ts';

/** Which of a broker's two listeners: that for clients near the nodes, or that for others. */
export type Where = 'inside' | 'outside';

/** Where Kafka clients begin: "host:port,host:port", as brokers tell it. Throws a Problem if there is no such listener. */
export function bootstrapOf(state: ClusterState, where: Where = 'inside'): string {
  const brokers = state.nodes.filter(({ role }) => role === 'broker');
  const addresses = brokers.map((broker) => addressOf(state, broker, where));
  const missing = addresses.indexOf(undefined);
  if (missing < 0) return addresses.join(',');
  throw new Problem(
    'HW2001',
    `broker ${brokers[missing]!.id} has no listener outside that is known here. Start the cluster with: ` +
      `highwater up --cluster ${state.name} --outside HOST:PORT`,
  );
}

function addressOf(state: ClusterState, broker: NodeState, where: Where): string | undefined {
  const { outside, kafkaAdvertised, kafkaOutside } = broker;
  if (where === 'inside') return written(kafkaAdvertised ?? { host: hostOf(state, broker), port: broker.kafkaPort });
  const told = kafkaOutside ?? (outside && { host: outside.host, port: outside.kafkaPort });
  return told && written(told);
}

/** An IPv6 address stands in brackets. */
function written({ host, port }: Address): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** One client and what to paste. */
export interface ClientLine extends Readonly<Record<string, unknown>> {
  readonly client: string;
  readonly line: string;
}

export interface LineOptions {
  readonly bootstrap: string;
  readonly topic: string;
  /** The cluster, for our own client. */
  readonly cluster: string;
}

/** The lines, for sh. Topic and cluster have been checked: no character of them means anything to a shell. */
export function clientLines({ bootstrap, topic, cluster }: LineOptions): readonly ClientLine[] {
  const flag = cluster === 'default' ? '' : ` --cluster ${cluster}`;
  const js = `.then(console.log)`;
  const lines = {
    kcat: `echo hello | kcat -P -b ${bootstrap} -t ${topic} && kcat -C -b ${bootstrap} -t ${topic} -o beginning -e`,
    'Java console tools':
      `echo hello | kafka-console-producer.sh --bootstrap-server ${bootstrap} --topic ${topic} && ` +
      `kafka-console-consumer.sh --bootstrap-server ${bootstrap} --topic ${topic} --from-beginning --max-messages 1`,
    'confluent-kafka-python':
      `python3 -c 'from confluent_kafka import Producer; p = Producer({"bootstrap.servers": "${bootstrap}"}); ` +
      `p.produce("${topic}", "hello", on_delivery=lambda e, m: print(e or m.offset())); p.flush(10)'`,
    'kafka-python':
      `python3 -c 'from kafka import KafkaProducer; p = KafkaProducer(bootstrap_servers="${bootstrap}"); ` +
      `print(p.send("${topic}", b"hello").get(10))'`,
    kafkajs:
      `node -e 'const p = new (require("kafkajs").Kafka)({ brokers: "${bootstrap}".split(",") }).producer(); ` +
      `p.connect().then(() => p.send({ topic: "${topic}", messages: [{ value: "hello" }] }))${js}.finally(() => p.disconnect())'`,
    '@platformatic/kafka':
      `node -e 'import("@platformatic/kafka").then(({ Producer }) => { const p = new Producer({ clientId: "hello", ` +
      `bootstrapBrokers: "${bootstrap}".split(","), autocreateTopics: true }); ` +
      `return p.send({ messages: [{ topic: "${topic}", value: Buffer.from("hello") }] })${js}.finally(() => p.close()) })'`,
    highwater:
      `highwater topics create ${topic}${flag}; echo hello | highwater produce ${topic}${flag} && ` +
      `highwater consume ${topic} --from-beginning --max-messages 1${flag}`,
  };
  return Object.entries(lines).map(([client, line]) => ({ client, line }));
}
