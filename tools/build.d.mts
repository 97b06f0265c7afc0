// Types of the build, for tests that start programs.
export function buildProgram(source: string, outfile: string, compiled?: boolean): Promise<void>;
