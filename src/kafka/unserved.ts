// Words for what this listener does not serve (wire W-3, W-30, W-32, W-33, W-63): what came, and what its owner can do. The
// connection is closed without an answer all the same; the words are for the broker's log.
import { DecodeError } from '../base/field-reader.ts';
import type { ServedApi } from './apis/api.ts';

/** Something was understood and is not served. */
export class NotServed extends DecodeError {
  override name = 'NotServed';
  /** What it was, in the same words each time. */
  readonly subject: string;

  constructor(subject: string, advice: string) {
    super(`${subject}. ${advice}`);
    this.subject = subject;
  }
}

const PLAINTEXT =
  'Brokers here speak plaintext and know no users: set security.protocol=PLAINTEXT and leave out ssl.* and sasl.* ' +
  '(kafkajs, @platformatic/kafka: no ssl or tls, no sasl)';

/** A TLS record of type handshake, version 3.x. */
const isTls = (start: Buffer): boolean => start[0] === 0x16 && start[1] === 0x03;
const HTTP = ['GET ', 'HEAD', 'POST', 'PUT ', 'DELE', 'OPTI', 'PATC', 'CONN', 'TRAC'];

/** The first bytes of a connection cannot be the size of a frame: another protocol, if it is one of those that people try. */
export function foreignProtocol(size: number): NotServed | undefined {
  const start = Buffer.alloc(4);
  start.writeInt32BE(size);
  const text = start.toString('latin1');
  if (isTls(start)) return new NotServed('a TLS handshake', PLAINTEXT);
  if (HTTP.includes(text)) {
    return new NotServed('an HTTP request', 'This port speaks the Kafka protocol: give it to Kafka clients only');
  }
  if (text !== 'PRI ') return undefined;
  return new NotServed(
    'an HTTP/2 or gRPC greeting',
    'This port speaks the Kafka protocol; highwater commands find the gRPC ports on their own',
  );
}

const NEWER_GROUPS = 'Only the classic protocol of groups is served: set group.protocol=classic';
const NO_SHARES = 'Share groups are not served: use a consumer group';
const NO_ACLS = 'Nothing is authorized here, so there are no ACLs: leave this out';
const NO_USERS = 'There are no users, tokens or quotas here: leave this out';
const NO_TELEMETRY = 'Brokers here do not offer it: set enable.metrics.push=false';
const OF_BROKERS = 'Only brokers and controllers send it, and those here do not speak it: a client never should';
const NO_QUORUM = 'The controller here is one process without a quorum: highwater status shows it';

/** What Kafka has and this listener has not, by key. */
const UNSERVED: ReadonlyMap<number, readonly [name: string, advice: string]> = new Map([
  [17, ['SaslHandshake', PLAINTEXT]],
  [36, ['SaslAuthenticate', PLAINTEXT]],
  ...rows(OF_BROKERS, [4, 'LeaderAndIsr'], [5, 'StopReplica'], [6, 'UpdateMetadata'], [7, 'ControlledShutdown']),
  ...rows(OF_BROKERS, [52, 'Vote'], [53, 'BeginQuorumEpoch'], [54, 'EndQuorumEpoch'], [56, 'AlterPartition']),
  ...rows(OF_BROKERS, [58, 'Envelope'], [59, 'FetchSnapshot'], [62, 'BrokerRegistration'], [63, 'BrokerHeartbeat']),
  ...rows(OF_BROKERS, [67, 'AllocateProducerIds'], [70, 'ControllerRegistration'], [73, 'AssignReplicasToDirs']),
  ...rows(OF_BROKERS, [82, 'UpdateRaftVoter']),
  ...rows(NO_ACLS, [29, 'DescribeAcls'], [30, 'CreateAcls'], [31, 'DeleteAcls']),
  ...rows(NO_USERS, [38, 'CreateDelegationToken'], [39, 'RenewDelegationToken'], [40, 'ExpireDelegationToken']),
  ...rows(NO_USERS, [41, 'DescribeDelegationToken'], [48, 'DescribeClientQuotas'], [49, 'AlterClientQuotas']),
  ...rows(NO_USERS, [50, 'DescribeUserScramCredentials'], [51, 'AlterUserScramCredentials']),
  ...rows(NO_QUORUM, [55, 'DescribeQuorum'], [80, 'AddRaftVoter'], [81, 'RemoveRaftVoter']),
  ...rows(NEWER_GROUPS, [68, 'ConsumerGroupHeartbeat'], [69, 'ConsumerGroupDescribe']),
  ...rows(NEWER_GROUPS, [88, 'StreamsGroupHeartbeat'], [89, 'StreamsGroupDescribe']),
  ...rows(NO_TELEMETRY, [71, 'GetTelemetrySubscriptions'], [72, 'PushTelemetry']),
  ...rows(NO_SHARES, [76, 'ShareGroupHeartbeat'], [77, 'ShareGroupDescribe'], [78, 'ShareFetch']),
  ...rows(NO_SHARES, [79, 'ShareAcknowledge'], [90, 'DescribeShareGroupOffsets'], [91, 'AlterShareGroupOffsets']),
  ...rows(NO_SHARES, [92, 'DeleteShareGroupOffsets']),
  [34, ['AlterReplicaLogDirs', 'A broker here has one log directory']],
  [64, ['UnregisterBroker', 'highwater node unregister does it']],
  [57, ['UpdateFeatures', 'Choose the level when the cluster starts: highwater up --transaction-version']],
  [74, ['ListConfigResources', 'Client metrics and configurations of groups are not served']],
  [75, ['DescribeTopicPartitions', 'Metadata says the same; clients use it where this API is not offered']],
]);

type Row = readonly [number, readonly [name: string, advice: string]];

function rows(advice: string, ...apis: readonly (readonly [number, string])[]): Row[] {
  return apis.map(([key, name]) => [key, [name, advice]]);
}

/** A request of an API that is not in the table (wire W-32, W-63). */
export function unservedApi(key: number, version: number): NotServed {
  const known = UNSERVED.get(key);
  if (known !== undefined) return new NotServed(`${known[0]} v${version}, which is not served`, known[1]);
  return new NotServed(
    `a request with API key ${key}, which is not served`,
    'Kafka has no such API for clients, or it is newer than this broker. Is this a Kafka client?',
  );
}

/** A request below or above what decodes (wire W-30, W-33). */
export function unservedVersion({ name, implemented: { min, max } }: ServedApi, version: number): NotServed {
  const subject = `${name} v${version}, and versions ${min} to ${max} are served`;
  if (version > max) {
    return new NotServed(subject, 'A client that asks with ApiVersions first sends none that is not offered');
  }
  return new NotServed(
    subject,
    'Kafka 4 has dropped such old versions too: use a newer client. If it is new enough, let it ask for versions: leave ' +
      'out broker.version.fallback and api.version.request (librdkafka), api_version (kafka-python), Version (sarama)',
  );
}
