// How long a client waits before it tries again: doubling, bounded, with jitter so that clients do not march in step.
import type { DurationMs } from '../../base/units.ts';
import type { Random } from '../../runtime/ports.ts';
import type { ClientConfig } from './config.ts';

/** How far a delay is drawn from its middle, as Kafka's clients do. */
const JITTER = 0.2;

/** What the delay depends on. */
export type BackoffConfig = Pick<ClientConfig, 'retry.backoff.ms' | 'retry.backoff.max.ms'>;

/** The delay after `failures` failures in a row (1 and up), ms: retry.backoff.ms doubled, never above the maximum. */
export function backoffMs(config: BackoffConfig, failures: number, random: Random): DurationMs {
  const max = config['retry.backoff.max.ms'];
  let delay = config['retry.backoff.ms'];
  for (let failure = 1; failure < failures && delay > 0 && delay < max; failure++) delay *= 2;
  return Math.min(max, delay * (1 - JITTER + 2 * JITTER * random.next()));
}
