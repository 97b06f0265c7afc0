// A follower of the bare pipeline. Equal to the product's: it pulls by a stream, writes what it gets, and asks for more
// when LevelDB has it. Left out: checks, CRCs, epochs, high watermark, events.
import { createChannel, asIs, MESSAGE_BYTES_MAX } from '../../src/rpc/channel.ts';
import { decodeBatches, encodeNumbered, FETCH_PATH } from './frames.ts';
import { BareLog } from './log.ts';

/** Handlers of the part "bare-follower". */
export const bareFollower = {
  follow: async ({ directory, port }: { directory: string; port: number }): Promise<void> => {
    const log = await BareLog.open(directory);
    const call = createChannel('127.0.0.1', port, MESSAGE_BYTES_MAX).makeBidiStreamRequest<Buffer, Buffer>(
      ...([FETCH_PATH, asIs, asIs] as const),
    );
    let position = 0;
    call.on('data', (frame: Buffer) => {
      const batches = decodeBatches(frame);
      log.append(batches, () => {
        position += batches.length;
        call.write(encodeNumbered(position));
      });
    });
    call.write(encodeNumbered(position));
  },
};
