// Times a stretch of work that runs in one thread by the CPU time it takes: what else the machine does does not count.

/** Runs `work`; seconds of CPU time of this process, its garbage collector included. */
export function cpuSeconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
