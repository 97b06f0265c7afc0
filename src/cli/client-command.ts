// Commands that ask a running cluster through our client: it is connected, used and closed, and what the cluster refuses
// or does not answer becomes a Problem.
import { HighwaterError, type HighwaterClient, type SilentBroker } from '../client/index.ts';
import { withCluster, type Cluster } from './cluster.ts';
import type { GlobalOptions } from './command.ts';
import { connectTo } from './connection.ts';
import { EXIT, Problem, type ProblemCode } from './problem.ts';

/** How long one question of a command may take, retries included. */
const ANSWER_MS = 15_000;

/** How long one broker may take before another is asked, where another can tell. */
const REQUEST_MS = 2000;

/** How long a list waits for a broker that tells nothing; then it goes without. */
export const PATIENCE_MS = 3000;

const CLOSE_MS = 1000;

/** Nobody answered in time: the cluster is at fault, not the question. */
const UNANSWERED: ReadonlySet<string> = new Set([
  ...['REQUEST_TIMED_OUT', 'NETWORK_EXCEPTION', 'LEADER_NOT_AVAILABLE', 'NOT_LEADER_OR_FOLLOWER'],
  ...['COORDINATOR_NOT_AVAILABLE', 'COORDINATOR_LOAD_IN_PROGRESS', 'NOT_COORDINATOR'],
]);

/** Runs `use` with a client of the cluster. Errors of calls get the code of the command, and say what to look at. */
export async function withClient(
  out: GlobalOptions,
  code: ProblemCode,
  use: (client: HighwaterClient, cluster: Cluster) => Promise<void>,
): Promise<void> {
  await withCluster(out.cluster, async (cluster) => {
    const client = await connectTo(cluster, {
      'default.api.timeout.ms': String(ANSWER_MS),
      'request.timeout.ms': String(REQUEST_MS),
    });
    try {
      await use(client, cluster);
    } catch (error) {
      throw error instanceof HighwaterError ? asProblem(error, code, out) : error;
    } finally {
      await client.close(CLOSE_MS);
    }
  });
}

function asProblem(error: HighwaterError, code: ProblemCode, out: GlobalOptions): Problem {
  if (!UNANSWERED.has(error.code)) return new Problem(code, `${error.code}: ${error.message}`, EXIT.failed);
  const flag = out.cluster === 'default' ? '' : ` --cluster ${out.cluster}`;
  return new Problem('HW4001', `${error.code}: ${error.message}. See: highwater status${flag}`, EXIT.unreachable);
}

/** Ends a list as inconclusive (exit 3) if a broker told nothing; one warning for each, which ends with what is missing. */
export function incomplete(silent: readonly SilentBroker[], missing: string): string[] {
  if (silent.length > 0) process.exitCode = EXIT.inconclusive;
  return silent.map(({ message }) => `${message}: ${missing}`);
}
