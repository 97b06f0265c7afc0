// The transaction coordinator of one broker, put together: shards, requests, completions, scans. It decides nothing.
import type { LeaderEpoch } from '../../base/units.ts';
import type { RequestOf } from '../../protocol/apis.ts';
import type { CoordinatorHost } from '../host.ts';
import { Repeated } from '../../runtime/repeated.ts';
import type { Answer, TransactionCoordinator } from './api.ts';
import { Completions } from './completions.ts';
import { ExpiryScan } from './expiry-scan.ts';
import { describeTransaction, listTransactions, undescribed } from './inspect.ts';
import { OpenRequests } from './open-requests.ts';
import { TransactionRequests } from './requests.ts';
import { ofShard } from './shard.ts';
import { TransactionShards } from './shards.ts';
import { TimeoutScan } from './timeout-scan.ts';
import { Transactor } from './transactor.ts';

/** The coordinator of this broker's partitions of __transaction_state. */
export function createTransactionCoordinator(host: CoordinatorHost): TransactionCoordinator {
  return new Coordinator(host);
}

class Coordinator implements TransactionCoordinator {
  readonly #host: CoordinatorHost;
  readonly #open = new OpenRequests();
  readonly #completions: Completions;
  readonly #shards: TransactionShards;
  readonly #scans: readonly Repeated[];
  readonly #requests: TransactionRequests;
  #stopped = false;

  constructor(host: CoordinatorHost) {
    this.#host = host;
    const completions = new Completions(host);
    const shards = new TransactionShards(host, completions);
    const transactor = new Transactor(host, completions, (shard) => shards.refuseCached(shard));
    this.#completions = completions;
    this.#shards = shards;
    const timeouts = new TimeoutScan(host, transactor, () => shards.loaded());
    const expiry = new ExpiryScan(host, () => shards.loaded());
    const { config, runtime } = host;
    const timeoutsMs = config['transaction.abort.timed.out.transaction.cleanup.interval.ms'];
    const expiryMs = config['transaction.remove.expired.transaction.cleanup.interval.ms'];
    this.#scans = [
      new Repeated(runtime.clock, timeoutsMs, () => timeouts.scan()),
      new Repeated(runtime.clock, expiryMs, () => expiry.scan()),
    ];
    this.#requests = new TransactionRequests({ host, shards, transactor, open: this.#open });
  }

  start(): void {
    for (const scan of this.#scans) scan.start();
  }

  stop(): void {
    this.#stopped = true;
    for (const scan of this.#scans) scan.stop();
    this.#shards.stop();
    this.#completions.stop();
    this.#open.stop();
  }

  elected(partition: number, leaderEpoch: LeaderEpoch): void {
    if (!this.#stopped) this.#shards.elected(partition, leaderEpoch);
  }

  resigned(partition: number, leaderEpoch: LeaderEpoch | undefined): void {
    this.#shards.resigned(partition, leaderEpoch);
  }

  metadataChanged(): void {
    this.#completions.metadataChanged();
  }

  initProducerId(request: RequestOf<'InitProducerId'>, answer: Answer<'InitProducerId'>): void {
    this.#requests.initProducerId(request, answer);
  }

  addPartitionsToTxn(request: RequestOf<'AddPartitionsToTxn'>, answer: Answer<'AddPartitionsToTxn'>): void {
    this.#requests.addPartitionsToTxn(request, answer);
  }

  verifyTransactions(request: RequestOf<'VerifyTransactions'>, answer: Answer<'VerifyTransactions'>): void {
    this.#requests.verifyTransactions(request, answer);
  }

  addOffsetsToTxn(request: RequestOf<'AddOffsetsToTxn'>, answer: Answer<'AddOffsetsToTxn'>): void {
    this.#requests.addOffsetsToTxn(request, answer);
  }

  endTxn(request: RequestOf<'EndTxn'>, answer: Answer<'EndTxn'>): void {
    this.#requests.endTxn(request, answer);
  }

  listTransactions(request: RequestOf<'ListTransactions'>, answer: Answer<'ListTransactions'>): void {
    if (this.#shards.isAnyLoading) {
      return answer({ error: 'COORDINATOR_LOAD_IN_PROGRESS', unknownStates: [], transactions: [] });
    }
    const sure = [...this.#shards.loaded()].filter((shard) => this.#shards.refuseCached(shard) === 'NONE');
    const entries = sure.flatMap((shard) => [...shard.entries.values()]);
    answer(listTransactions(entries, request, this.#host.runtime.clock.wallTime()));
  }

  describeTransactions(request: RequestOf<'DescribeTransactions'>, answer: Answer<'DescribeTransactions'>): void {
    const transactions = request.transactionalIds.map((id) => {
      if (id === '') return undescribed(id, 'INVALID_REQUEST');
      const shard = this.#shards.find(id);
      if (typeof shard === 'string') return undescribed(id, shard);
      const refusal = this.#shards.refuseCached(shard);
      if (refusal !== 'NONE') return undescribed(id, refusal);
      return describeTransaction(id, shard.entries.get(id), ofShard(shard));
    });
    answer({ transactions });
  }
}
