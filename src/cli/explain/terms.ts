// Words of replication, transactions and groups, for `highwater explain`. Kafka's words, a few lines each.

/** One word. */
export interface Term {
  /** In full, where the key is an abbreviation. */
  readonly name: string;
  /** Other ways to ask for it. */
  readonly also?: readonly string[];
  readonly lines: readonly string[];
}

/** By the word that is asked for. */
export const TERMS: Readonly<Record<string, Term>> = {
  leo: {
    name: 'log end offset',
    also: ['log end', 'end offset'],
    lines: [
      'The offset that the next record of a replica gets. Each replica has its own; a record below it is in that log, and no more',
      'is promised: below the high watermark it is safe, above it a new leader may not have it. `highwater replicas show T-P` shows it.',
    ],
  },
  hw: {
    name: 'high watermark',
    also: ['watermark', 'high-watermark'],
    lines: [
      'The offset below which every in-sync replica has everything. Consumers are served below it, acks=all is answered when it has',
      'passed the record. Only the leader decides it (repl R-44), from the fetches of its followers; a follower learns it one fetch',
      'later, so a new leader may begin with an older one. It never falls at one leader.',
    ],
  },
  lso: {
    name: 'last stable offset',
    lines: [
      'The first offset of the oldest open transaction, or the high watermark if none is open: read_committed consumers are served',
      'below it. A hanging transaction holds it for ever; `highwater txn find-hanging` finds it.',
    ],
  },
  'log start': {
    name: 'log start offset',
    also: ['log-start-offset'],
    lines: [
      'The first offset that can be read. Retention and `topics delete-records` raise it; a fetch below it is OFFSET_OUT_OF_RANGE.',
    ],
  },
  isr: {
    name: 'in-sync replicas',
    also: ['in-sync', 'in sync replicas'],
    lines: [
      'The replicas that may become leader without loss. Whoever has not caught up with the leader for replica.lag.time.max.ms is',
      'removed; who has reached the high watermark and the start of the leader epoch is added (repl R-58 to R-62). The controller',
      'decides, on the proposal of the leader; until it answers, the leader counts with the larger of both sets.',
    ],
  },
  elr: {
    name: 'eligible leader replicas',
    also: ['eligible leader replicas', 'kip-966'],
    lines: [
      'Replicas that left the ISR while it was smaller than min.insync.replicas. The high watermark stood still since, so they have',
      'everything below it and may lead cleanly when the ISR is empty (KIP-966). An unclean restart removes a replica from it.',
    ],
  },
  'min isr': {
    name: 'min.insync.replicas',
    also: ['min.insync.replicas', 'minisr'],
    lines: [
      'How many replicas must be in sync for acks=all: with fewer a record is refused (NOT_ENOUGH_REPLICAS) and the high watermark',
      'does not move. With n, n-1 of them may lose their disks without loss of what was acknowledged.',
    ],
  },
  'leader epoch': {
    name: 'leader epoch',
    also: ['epoch'],
    lines: [
      'How often a partition got a leader. It stands in every batch: two replicas with the same offset and epoch have the same batch.',
      'Followers compare epochs to find where their log diverged (KIP-101, KIP-279), consumers to notice truncation (KIP-320).',
    ],
  },
  'partition epoch': {
    name: 'partition epoch',
    lines: [
      'How often anything of a partition changed at the controller. A leader proposes an ISR with the one it knows; an older one is',
      'refused, so that two changes cannot overwrite each other (KIP-497).',
    ],
  },
  'broker epoch': {
    name: 'broker epoch',
    lines: [
      'One number for each start of a broker. A request of an older start is refused, and a wiped broker is not taken for the one that',
      'was in sync before (KIP-380, KIP-903).',
    ],
  },
  'producer epoch': {
    name: 'producer epoch',
    lines: [
      'How often a transactional id was initialised, and under transaction.version 2 also how often a transaction ended. Leaders refuse',
      'older ones: that is how a zombie is kept out.',
    ],
  },
  'unclean election': {
    name: 'unclean leader election',
    also: ['unclean', 'unclean.leader.election.enable'],
    lines: [
      'A replica outside of the ISR (and ELR) leads because nobody else is there. What it lacks is lost, although it was acknowledged.',
      'Kafka allows it only if asked to; a run declares it, and what it costs is listed as allowed.',
    ],
  },
  zombie: {
    name: 'zombie',
    lines: [
      'A process that was replaced and does not know it: a leader behind a cut, a paused producer, a coordinator with an old epoch. It',
      'goes on until somebody tells it; epochs make sure that nobody believes it.',
    ],
  },
  fencing: {
    name: 'fencing',
    also: ['fenced'],
    lines: [
      'Keeping a zombie out by a number that only grows. A fenced broker is one whose session ended: it leads nothing and is in no ISR',
      'until it is heard again. A fenced producer is one whose id has a newer epoch (PRODUCER_FENCED, INVALID_PRODUCER_EPOCH).',
    ],
  },
  truncation: {
    name: 'truncation',
    also: ['truncate', 'divergence', 'kip-101', 'kip-279'],
    lines: [
      'A follower cuts what its leader does not have. Where, it learns from leader epochs (repl R-72), never from its own high watermark:',
      'that loses acknowledged records (KIP-101, scenarios/kip-101-loss.yaml).',
    ],
  },
  'ghost read': {
    name: 'ghost read',
    lines: [
      'A consumer was given a record that is in no log any more. The high watermark forbids it. See: highwater explain ghost-read',
    ],
  },
  acks: {
    name: 'acks',
    also: ['acks=all', 'acks=1', 'acks=0'],
    lines: [
      'What a producer waits for. all: every in-sync replica has it; such a record may not be lost. 1: the leader alone; it is lost with',
      'the leader, legally. 0: nothing.',
    ],
  },
  'idempotent producer': {
    name: 'idempotent producer',
    also: ['idempotence', 'sequence', 'producer id'],
    lines: [
      'A producer with an id, an epoch and a sequence number in each batch. A leader knows its last five batches again and answers a',
      'repeated one as before; one out of order is refused (KIP-98).',
    ],
  },
  'transaction coordinator': {
    name: 'transaction coordinator',
    also: ['coordinator', 'tc', '__transaction_state'],
    lines: [
      'The broker that leads partition abs(hash(transactional id)) % 50 of __transaction_state. It writes down what a transaction has',
      'touched, decides its end, and sends a marker to every partition. `highwater txn map ID` names it.',
    ],
  },
  'group coordinator': {
    name: 'group coordinator',
    also: ['gc', '__consumer_offsets'],
    lines: [
      'The broker that leads partition abs(hash(group)) % 50 of __consumer_offsets. It keeps the members of a group, their generation and',
      'the committed offsets. `highwater groups describe GROUP` names it.',
    ],
  },
  group: {
    name: 'consumer group',
    also: ['consumer group', 'member', 'rebalance', 'assignment'],
    lines: [
      'Consumers that share the partitions of their topics, each partition with one of them. When one comes, goes or is silent for its',
      'session timeout, the coordinator has all of them join again: a rebalance, and a new generation. Committed offsets stay.',
    ],
  },
  generation: {
    name: 'generation of a group',
    lines: [
      'How often a group was rebalanced. Commits of an older one are refused (ILLEGAL_GENERATION): a zombie member cannot move offsets.',
    ],
  },
  marker: {
    name: 'transaction marker',
    also: ['control batch', 'control record', 'commit marker', 'abort marker'],
    lines: [
      'A batch of one control record, COMMIT or ABORT, that a coordinator has written to every partition of a transaction. It takes an',
      'offset and is never delivered: gaps in offsets are normal.',
    ],
  },
  'hanging transaction': {
    name: 'hanging transaction',
    lines: [
      'A transaction that is open in a partition and unknown to its coordinator. Nobody will end it; the last stable offset stands still.',
      'See: highwater explain hanging-txn, highwater txn find-hanging, highwater txn abort',
    ],
  },
  'transaction version': {
    name: 'transaction.version',
    also: ['tv1', 'tv2', 'kip-890'],
    lines: [
      'How transactions work: 1 has one producer epoch until the next InitProducerId and partitions registered by the client; 2 (KIP-890)',
      'gives every transaction an epoch of its own and registers partitions by writing. `highwater up --transaction-version 1`.',
    ],
  },
  reassignment: {
    name: 'reassignment of replicas',
    lines: [
      'Moving replicas to other brokers: the new ones are added, catch up, and only when all of them are in sync the old ones go.',
      '`highwater topics reassign T-P --to 1,2,4`.',
    ],
  },
  safeguard: {
    name: 'safeguard',
    also: ['safeguards'],
    lines: [
      'A protection of the protocol that can be switched off here, to see what it prevents. `highwater safeguards` lists them,',
      '`highwater safeguards run NAME` shows one by two runs that differ in it alone.',
    ],
  },
  inconclusive: {
    name: 'inconclusive',
    lines: [
      'A verdict: nothing wrong was found, and it could not have been. A fault never fired, nothing was acknowledged, or a checker lacks',
      'what it would need. Exit code 3. It is never a pass.',
    ],
  },
  'loss budget': {
    name: 'declared loss',
    also: ['budget', 'power loss'],
    lines: [
      'What a run does to disks, declared in its history: how many replicas lost unflushed data at once. Up to min.insync.replicas - 1',
      'of them, an acknowledged record may not be lost (with ELR on); beyond, its loss is allowed, and listed as that.',
    ],
  },
  partition: {
    name: 'partition',
    also: ['topic', 'log'],
    lines: [
      'A log of its own: records are appended at its end and numbered by offsets. A topic is a few of them. Order holds within one.',
    ],
  },
  offset: {
    name: 'offset',
    lines: [
      'The number of a record in its partition. It never changes, and numbers may be missing: markers take some, compaction removes some.',
      'Of the special ones see: highwater explain lso, hw, leo, log start.',
    ],
  },
  replica: {
    name: 'replica',
    also: ['leader', 'follower', 'replication factor'],
    lines: [
      'One copy of a partition on one broker. The leader takes writes and serves reads; followers fetch from it as consumers do, and',
      'append what they get byte for byte. `highwater replicas show T-P` shows each, `highwater replicas verify T-P` compares them.',
    ],
  },
  lag: {
    name: 'lag',
    also: ['lso lag', 'lso-lag'],
    lines: [
      'Of a replica: how far its end is behind that of its leader. Of a group: how far its committed offset is behind the high watermark;',
      'markers and aborted records count, so it may stand above 0 although all is read: `highwater groups describe` says what is readable.',
    ],
  },
  controller: {
    name: 'controller',
    also: ['metadata log', 'quorum'],
    lines: [
      'The process that decides who leads and who is in sync, and writes it into the metadata log; brokers follow that log. There is one',
      'here: kill it and start it again, and the cluster goes on.',
    ],
  },
  transaction: {
    name: 'transaction',
    also: ['txn', 'transactional id', 'exactly once', 'exactly-once', 'eos', 'read committed', 'read-committed'],
    lines: [
      'Writes to several partitions, and offsets of a group, that readers of committed records see all or none of. The coordinator writes',
      'the decision down first; then a marker goes to every partition. See: highwater explain marker, highwater txn --help',
    ],
  },
  fault: {
    name: 'fault',
    lines: [
      'Something that is broken on purpose: at a named point of the protocol, for a process, or for a link. It fires when its action has',
      'been carried out; a run whose fault never fired says inconclusive. `highwater fault points`, `highwater fault add --help`.',
    ],
  },
  seed: {
    name: 'seed',
    lines: [
      'The number that decides whatever a run draws. In the simulator the same seed gives the same run, event for event; with processes',
      'it gives the same plan, and the operating system decides the rest.',
    ],
  },
  verdict: {
    name: 'verdict',
    also: ['pass', 'fail', 'anomaly', 'anomalies'],
    lines: [
      'What a run or a history is found to be: pass, fail (a checker found an anomaly, or an expectation was not met), or inconclusive.',
      'Exit codes 0, 1 and 3. What Kafka permits and was declared is listed as allowed.',
    ],
  },
  retention: {
    name: 'retention and compaction',
    also: ['compaction', 'compacted', 'cleanup.policy', 'tombstone'],
    lines: [
      'How old records go: by age or size from the front (delete), or where a later record has the same key (compact; a record without a',
      'value is a tombstone, and goes last). Nothing that is not yet decided or replicated is touched.',
    ],
  },
};
