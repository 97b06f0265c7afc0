// The order of test files: what takes long begins first, so that files that run side by side end together.
import { BaseSequencer, type TestSequencer, type TestSpecification, type Vitest } from 'vitest/node';

/** Files of tests that take more than half a minute, the longest first. A file that is not here comes behind them. */
const LONG = [
  ...['processes/slow/transactions', 'processes/slow/read-process-write', 'processes/slow/corpus'],
  ...['processes/slow/crash-points', 'processes/slow/kill-rounds', 'clients/scenarios/external'],
  ...['containers/compose', 'clients/librdkafka/transactions', 'processes/slow/attached', 'processes/bad-input'],
  ...['processes/ending', 'processes/cluster-life', 'processes/slow/operations', 'processes/slow/campaign'],
  ...['containers/network', 'processes/slow/positions', 'processes/slow/kip-101'],
];

function rank({ moduleId }: TestSpecification): number {
  const at = LONG.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return at < 0 ? LONG.length : at;
}

/** Vitest's own order, but for these. */
export class LongestFirst implements TestSequencer {
  readonly #base: BaseSequencer;

  constructor(vitest: Vitest) {
    this.#base = new BaseSequencer(vitest);
  }

  async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await this.#base.sort(files)).sort((a, b) => rank(a) - rank(b));
  }

  shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return this.#base.shard(files);
  }
}
