// Produce over a stream, for clients of ours: requests are served as they come, answered in their order, and acks=0 not at
// all (repl R-13, wire W-14; design section 5). A producer that leaves withdraws nothing: what it has asked is done, and
// answered to nobody, as Kafka's brokers do.
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { InStream, InStreamEvents } from '../runtime/ports.ts';
import type { BrokerApi, Cancel } from './api.ts';

/** A request that is not answered yet. */
interface Slot {
  readonly acks: number;
  cancel: Cancel;
  response: ResponseOf<'Produce'> | undefined;
}

export function serveProduceStream(
  api: Pick<BrokerApi, 'produce'>,
  stream: InStream<ResponseOf<'Produce'>>,
): InStreamEvents<RequestOf<'Produce'>> {
  const slots: Slot[] = [];
  let state: 'open' | 'half-closed' | 'over' = 'open';
  const end = (): void => {
    state = 'over';
    for (const slot of slots.splice(0)) slot.cancel();
    stream.end();
  };
  const sendReady = (): void => {
    for (let first = slots[0]; first?.response !== undefined && state !== 'over'; first = slots[0]) {
      slots.shift();
      if (first.acks !== 0) stream.send(first.response);
      else if (first.response.partitions.some((partition) => partition.error !== 'NONE')) end();
    }
    if (state === 'half-closed' && slots.length === 0) end();
  };
  return {
    message: (request) => {
      if (state === 'over') return;
      const slot: Slot = { acks: request.acks, cancel: () => undefined, response: undefined };
      slots.push(slot);
      slot.cancel = api.produce(request, { zstdAllowed: true }, (response) => {
        slot.response = response;
        sendReady();
      });
    },
    ended: () => {
      state = 'half-closed';
      sendReady();
    },
    // What is answered from here on is lost on its way, like any answer on a connection that broke.
    closed: () => undefined,
  };
}
