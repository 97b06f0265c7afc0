// Campaigns of seeds whose processes break down: that is told, in its turn, and no seed is passed over in silence.
import { expect, test } from 'vitest';
import { SeedCampaign } from '../../src/cli/seed-jobs.ts';

/** Tells of its seeds, but what begins with seed 21 goes by `ending`. */
function programThat(ending: string): readonly string[] {
  const program = `
    const [first, last] = process.argv[process.argv.indexOf('--seeds') + 1].split('..').map(Number);
    const tell = (seed) => console.log(JSON.stringify({ seed }));
    if (first === 21) { ${ending} }
    else setTimeout(() => { for (let seed = first; seed <= last; seed++) tell(seed); }, 300);`;
  return ['-e', program];
}

/** The seeds that were told, and the error that ended them. */
async function toldBy(ending: string): Promise<{ seeds: number[]; error: string }> {
  const seeds: number[] = [];
  const campaign = new SeedCampaign({ first: 1, last: 60, jobs: 2, args: [], program: programThat(ending) });
  try {
    for await (const { seed } of campaign.lines()) seeds.push(seed);
  } catch (error) {
    return { seeds, error: (error as Error).message };
  }
  return { seeds, error: '' };
}

const BEFORE = Array.from({ length: 20 }, (_, at) => at + 1);

test('one that breaks down while another is at work is told in its turn', async () => {
  const { seeds, error } = await toldBy('process.exit(70)');
  expect(seeds).toEqual(BEFORE);
  expect(error).toMatch(/^the process of seeds 21\.\.40 ended with 70 after 0 lines/);
});

test('one that ends as if it had a verdict, but tells of less than its seeds, has broken down', async () => {
  const { seeds, error } = await toldBy("tell(21); throw new Error('out of luck')");
  expect(seeds).toEqual(BEFORE);
  expect(error).toMatch(/^the process of seeds 21\.\.40 ended with 1 after 1 lines: [^]*out of luck/);
});
