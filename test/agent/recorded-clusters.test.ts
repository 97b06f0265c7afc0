// Which clusters of a home are recorded.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordedClusters } from '../../src/agent/home.ts';

test('a cluster whose folder has no state never came up or is forgotten: it is not named', () => {
  const home = mkdtempSync(join(tmpdir(), 'highwater-recorded-'));
  try {
    expect(recordedClusters(home)).toEqual([]);
    for (const name of ['here', 'forgotten']) mkdirSync(join(home, 'clusters', name), { recursive: true });
    writeFileSync(join(home, 'clusters', 'forgotten', 'agent.log'), '');
    writeFileSync(join(home, 'clusters', 'here', 'cluster.json'), '{}');
    expect(recordedClusters(home)).toEqual(['here']);
  } finally {
    rmSync(home, { recursive: true });
  }
});
