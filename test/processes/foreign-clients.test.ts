// Foreign clients, unchanged, against a cluster of real processes: three brokers and a controller.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layOut } from '../../src/agent/new-cluster.ts';
import { runAgent } from '../../src/agent/run-agent.ts';
import { programPath } from '../../src/cli/version.ts';
import { foreignClients, type ForeignCluster } from '../clients/suite.ts';
import { autoCreate, untilBrokers } from '../clients/topics.ts';

const BROKERS = 3;
const GRACE_MS = 10_000;

foreignClients('three broker processes', async (): Promise<ForeignCluster> => {
  const home = mkdtempSync(join(tmpdir(), 'highwater-foreign-'));
  const state = await layOut({
    ...{ name: 'foreign', home, brokers: BROKERS, dir: undefined, timers: 'fast', host: '127.0.0.1', portBase: 0 },
    config: { 'num.partitions': '3', 'default.replication.factor': '3', 'min.insync.replicas': '2' },
  });
  const running = await runAgent(state, { home, program: programPath('node') });
  const port = state.nodes.find(({ role }) => role === 'broker')!.kafkaPort;
  await untilBrokers(port, BROKERS);
  return {
    ...{ bootstrap: `127.0.0.1:${port}`, brokerCount: BROKERS },
    createTopic: (name) => autoCreate(port, name),
    close: async () => {
      await running.close(GRACE_MS);
      rmSync(home, { recursive: true, force: true });
    },
  };
});
