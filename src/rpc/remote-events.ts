// Reads the events of a node or an agent over gRPC, as they are written (proto/events.proto).
import type { ServiceError } from '@grpc/grpc-js';
import type { EventLine, TailEventsRequest } from '../protocol/generated/index.ts';
import { messageCodec } from '../runtime/codec.ts';
import { serviceMethods } from '../runtime/message-types.ts';
import { callerMetadata, ANONYMOUS } from './access.ts';
import { asIs, createChannel, MESSAGE_BYTES_MAX } from './channel.ts';
import { describeStatus } from './outcome.ts';
import type { RemoteOptions } from './remote-service.ts';

/** What is asked for; what is left out has no limit. */
export type EventsWanted = Pick<TailEventsRequest, 'node' | 'fromLine' | 'follow'> & Partial<TailEventsRequest>;

/**
 * Lines as they come; ends with the file unless `follow`. Throws why it broke. Leaving the loop closes the connection, and so
 * does `signal`, also while nothing comes.
 */
export async function* remoteEvents(
  options: RemoteOptions,
  request: EventsWanted,
  signal?: AbortSignal,
): AsyncGenerator<EventLine> {
  const method = serviceMethods('Events').find(({ name }) => name === 'TailEvents')!;
  const client = createChannel(options.host, options.port, MESSAGE_BYTES_MAX);
  const metadata = callerMetadata(options.node ?? ANONYMOUS, options.secret);
  const bytes = messageCodec(method.requestType).encode(request);
  const cancel = (): void => call.cancel();
  const call = client.makeServerStreamRequest(method.path, asIs, asIs, bytes, metadata);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    for await (const line of call) yield messageCodec(method.responseType).decode(line as Buffer) as EventLine;
  } catch (error) {
    throw new Error(describeStatus(error as ServiceError) ?? String(error), { cause: error });
  } finally {
    signal?.removeEventListener('abort', cancel);
    call.on('error', () => undefined);
    call.cancel();
    client.close();
  }
}
