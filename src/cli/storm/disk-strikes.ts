// Strikes at the disk of a broker: it is full, slow, or cannot be written or read. A broker that cannot write or read ends by
// itself (repl R-114); it starts again once its disk is as it was. A flipped bit is not among them: most of what a running
// broker serves lies in its memory, so that such a strike would hardly ever strike.
import type { Prng } from '../../base/prng.ts';
import type { NodeId } from '../../base/units.ts';
import { equals, faultSpec } from '../../fault/spec.ts';
import type { FaultSpec } from '../../protocol/generated/index.ts';

export const DISK_KINDS = ['disk-full', 'disk-slow', 'write-error', 'read-error'] as const;
export type DiskKind = (typeof DISK_KINDS)[number];

/** Writes are held up for so long each. */
const SLOW_MS = [5, 50, 200] as const;
/** It strikes at one of the next writes; a storm never lacks them. */
const WRITES = 20;
/** The reads of a start: a broker that has started serves from its memory. */
const READS = 10;

/** How hard it strikes: ms that a write is held up, or at which access it fails. */
export function drawForce(random: Prng, kind: DiskKind): number {
  if (kind === 'disk-slow') return SLOW_MS[random.below(SLOW_MS.length)]!;
  return 1 + random.below(kind === 'read-error' ? READS : WRITES);
}

/** The fault that does it. */
export function diskFault(kind: DiskKind, node: NodeId, { force, id }: { force: number; id: string }): FaultSpec {
  const common = { id, owner: id, where: [equals('node', node)] };
  switch (kind) {
    case 'disk-slow':
      return faultSpec({ ...common, point: 'disk.write', action: { kind: 'disk:slow', durationMs: force } });
    case 'disk-full':
      return faultSpec({ ...common, point: 'disk.write', nth: force, times: 1, action: 'disk:full' });
    case 'write-error':
      return faultSpec({ ...common, point: 'disk.write', nth: force, times: 1, action: 'disk:write-error' });
    case 'read-error':
      return faultSpec({ ...common, point: 'disk.read', nth: force, times: 1, action: 'disk:read-error' });
  }
}

/** For people. */
export function describeDisk(kind: DiskKind, whose: string, force: number): string {
  switch (kind) {
    case 'disk-slow':
      return `hold up each write of ${whose} for ${force} ms`;
    case 'disk-full':
      return `the disk of ${whose} is full at its ${force}. write`;
    case 'write-error':
      return `write ${force} of ${whose} fails`;
    case 'read-error':
      return `${whose} starts anew, and its ${force}. read fails`;
  }
}
