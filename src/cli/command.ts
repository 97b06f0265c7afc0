// What every command shares: global flags and how its action is called. One file a command under commands/.
import type { Command } from 'commander';
import type { OutputOptions } from './output.ts';

/** Flags that every command takes. */
export interface GlobalOptions extends OutputOptions {
  readonly cluster: string;
}

/** The global flags as given before or behind the verb. */
export function globals(command: Command): GlobalOptions {
  const options = command.optsWithGlobals<{ cluster?: string; json?: boolean; quiet?: boolean }>();
  return {
    cluster: options.cluster ?? nonEmpty(process.env['HIGHWATER_CLUSTER']) ?? 'default',
    json: options.json === true,
    quiet: options.quiet === true,
  };
}

/** The cluster that was named on the command line; the environment names none that a command must take. */
export function namedCluster(command: Command): string | undefined {
  return command.optsWithGlobals<{ cluster?: string }>().cluster;
}

/** An empty variable is one that is not set. */
const nonEmpty = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

/** Gathers a repeatable flag. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
