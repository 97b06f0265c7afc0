// Starts the bare pipeline: client, leader and two followers, a process each.
import type { Part } from '../part.ts';
import type { Room } from '../room.ts';

export interface BarePipeline {
  readonly client: Part;
  /** Process ids of all four. */
  readonly pids: readonly number[];
}

export async function startPipeline(room: Room): Promise<BarePipeline> {
  const [leader, one, other, client] = await Promise.all([
    room.part('bare-leader'),
    room.part('bare-follower'),
    room.part('bare-follower'),
    room.part('bare-client'),
  ]);
  const port = await leader.call<number>('listen', { directory: room.folder('bare') });
  await one.call('follow', { directory: room.folder('bare'), port });
  await other.call('follow', { directory: room.folder('bare'), port });
  await client.call('connect', { port });
  return { client, pids: [leader, one, other, client].map(({ pid }) => pid) };
}
