// The differential run: one script of the Java client against a real Apache Kafka and against Highwater, each new, told the
// same settings, and compared step by step: error codes, offsets, what is visible.
import { expect, test } from 'vitest';
import { java, javaSide } from '../support/java.ts';
import { startHighwater } from '../support/highwater.ts';
import { SAME_CONFIG, startRealKafka } from '../support/real-kafka.ts';
import { differences, outcomesOf, type Outcomes } from '../support/steps.ts';
import { ALLOWED } from './allowed.ts';

const SCRIPT_MS = 400_000;
const STEPS_MIN = 600;
const side = javaSide();

interface Cluster {
  readonly bootstrap: string;
  close(): Promise<void>;
}

/** Runs the script against a cluster, and ends the cluster: two at once are too much for two cores. */
async function outcomes(start: Promise<Cluster>, transactionVersion: number): Promise<Outcomes> {
  const cluster = await start;
  try {
    const args = [cluster.bootstrap, String(transactionVersion)];
    const { status, stdout, stderr } = await java('highwater.Differential', args, '', SCRIPT_MS);
    expect(status, stderr).toBe(0);
    return outcomesOf(stdout);
  } finally {
    await cluster.close();
  }
}

test.skipIf('missing' in side).each([2, 1] as const)(
  'the same steps come to the same, transaction.version %i',
  { timeout: 2 * SCRIPT_MS },
  async (transactionVersion) => {
    const kafka = await outcomes(startRealKafka({ transactionVersion }), transactionVersion);
    const config = { ...SAME_CONFIG, 'transaction.version': String(transactionVersion) };
    const highwater = await outcomes(startHighwater({ timers: 'kafka', config }), transactionVersion);
    expect(kafka.size).toBeGreaterThanOrEqual(STEPS_MIN);
    const allowed = ALLOWED.filter(({ only }) => only === undefined || only === transactionVersion);
    expect(differences(kafka, highwater, allowed)).toEqual([]);
  },
);
