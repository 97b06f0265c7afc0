// Records what clients of the wire ask and are told, as far as checkers need it (trace/wire.ts). An answer is told before its
// bytes leave, and only if they do: what a fault or a broken connection has lost was never told to anybody.
import { formatPartition } from '../base/units.ts';
import type { TraceEvent } from '../trace/events.ts';
import type { WireAnswer } from '../trace/wire.ts';
import type { Reply } from './apis/api.ts';
import type { Asked } from './fault-gate.ts';
import { ANSWERS, ASKS, type Naming } from './recorded-apis.ts';
import { nameValues, type RecordedValues } from './recorded-values.ts';

/** A request under way, as a recorder knows it. */
export interface Exchange {
  /** Its end is about to leave. */
  answered(reply: Reply): void;
}

export interface WireRecorder {
  /** Undefined: nothing of this API is recorded. */
  asked(asked: Asked): Exchange | undefined;
  /** A connection is gone. */
  closed(connection: number): void;
}

export interface RecorderOptions {
  /** Sets the numbers of this recorder apart from those of others and of earlier lives of its broker. */
  readonly name: string;
  readonly values: RecordedValues;
  readonly topicName: (topicId: string) => string | undefined;
  /** The clock of the machine, µs: the same in all its processes. */
  readonly nowUs: () => number;
  readonly trace: (event: TraceEvent) => void;
}

/** Makes a recorder. */
export function createRecorder({ name, values, topicName, nowUs, trace }: RecorderOptions): WireRecorder {
  const naming: Naming = {
    valuesOf: (batches, header) => nameValues(batches, header, values),
    partition: ({ topic, topicId }, partition) =>
      formatPartition(
        topic !== undefined && topic !== '' ? topic : (topicName(topicId ?? '') ?? `?${topicId}`),
        partition,
      ),
  };
  const open = new Set<number>();
  let next = 0;
  return {
    asked({ api, connection, clientId, body }) {
      const ask = ASKS[api]?.(body, naming);
      if (ask === undefined) return undefined;
      open.add(connection);
      const request = `${name}.${next++}`;
      trace({ type: 'wire.asked', atUs: nowUs(), request, connection: `${name}.${connection}`, clientId, ask });
      return {
        answered(reply) {
          const answer = answerOf(reply, (response) => ANSWERS[api]?.(response, body, naming));
          if (answer !== undefined) trace({ type: 'wire.answered', atUs: nowUs(), request, answer });
        },
      };
    },
    closed(connection) {
      if (open.delete(connection)) {
        trace({ type: 'wire.closed', atUs: nowUs(), connection: `${name}.${connection}` });
      }
    },
  };
}

function answerOf(reply: Reply, response: (body: object) => WireAnswer | undefined): WireAnswer | undefined {
  if (reply.kind === 'response') return response(reply.body);
  return reply.kind === 'silence' ? { api: 'silence' } : undefined;
}
