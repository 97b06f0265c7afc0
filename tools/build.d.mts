// Types of the build, for tests that start programs.
import type { BuildOptions } from 'esbuild';

export function bundleOptions(source: string, outfile: string): BuildOptions;
