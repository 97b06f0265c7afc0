// Events (proto/events.proto): the lines of event files as they are written, to whoever has the secret. A slow reader
// slows its own reading only; the number of readers is bounded (design section 10).
import grpc from '@grpc/grpc-js';
import type * as pb from '../../protocol/generated/index.ts';
import { MalformedMessage, messageCodec } from '../../runtime/codec.ts';
import { serviceMethods } from '../../runtime/message-types.ts';
import { parseEventLine } from '../../runtime/real/event-file.ts';
import { tailEvents, type NumberedLine } from '../../runtime/real/event-tail.ts';
import type { RpcServer, WritableCall } from '../server.ts';

/** Readers at the same time. */
const READERS_MAX = 64;

/** An event file and whose it is. */
export interface EventSource {
  readonly node: number;
  readonly path: string;
}

/** Serves TailEvents. `sources` answers the files for a node id; 0 asks for all that this process has. */
export function serveEvents(server: RpcServer, sources: (node: number) => readonly EventSource[]): void {
  const method = serviceMethods('Events').find(({ name }) => name === 'TailEvents')!;
  let readers = 0;
  server.writable(method.path, true, (call) => {
    call.on('error', () => undefined);
    if (readers >= READERS_MAX) {
      refuse(call, grpc.status.RESOURCE_EXHAUSTED, `${READERS_MAX} readers follow the events already; end one of them`);
      return;
    }
    readers += 1;
    serveOne(call, method.requestType, method.responseType, sources)
      .then(
        () => call.end(),
        (error: unknown) => {
          const code = error instanceof MalformedMessage ? grpc.status.INVALID_ARGUMENT : grpc.status.INTERNAL;
          refuse(call, code, error instanceof Error ? error.message : String(error));
        },
      )
      .finally(() => (readers -= 1));
  });
}

async function serveOne(
  call: WritableCall,
  requestType: string,
  responseType: string,
  sources: (node: number) => readonly EventSource[],
): Promise<void> {
  const request = messageCodec(requestType).decode(call.request) as pb.TailEventsRequest;
  const ending = new AbortController();
  call.on('cancelled', () => ending.abort());
  const { signal } = ending;
  const { fromLine, fromPlace, follow, onlyNew } = request;
  const types: ReadonlySet<string> = new Set(request.writtenTypes);
  const written = (json: string): boolean => types.size > 0 && types.has(parseEventLine(json)?.event.type ?? '');
  const wanted = { fromLine, fromPlace, follow, signal, ...(onlyNew ? { written } : {}) };
  const send = async ({ node, path }: EventSource): Promise<void> => {
    for await (const lines of tailEvents({ path, ...wanted })) {
      for (const line of lines) call.write(messageCodec(responseType).encode(eventLine(node, line)));
      if (call.writableNeedDrain && !signal.aborted) await drained(call);
    }
  };
  await Promise.all(sources(request.node).map(send));
}

function eventLine(node: number, { line, json, nextPlace }: NumberedLine): pb.EventLine {
  return { node, line, lamport: parseEventLine(json)?.lamport ?? 0, json, nextPlace };
}

function drained(call: WritableCall): Promise<void> {
  return new Promise((resolve) => {
    call.once('drain', resolve);
    call.once('cancelled', resolve);
  });
}

function refuse(call: WritableCall, code: number, details: string): void {
  call.emit('error', { code, details });
}
