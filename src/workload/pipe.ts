// What goes over the pipes of a client process, one JSON line each: commands on stdin, beginning with `start`; everything
// it says on stdout, and the same lines in its own file, written first. Whoever reads the pipe of a client that was killed
// finds in the file what did not get through.
import type { NodeId } from '../base/units.ts';
import type { Safeguard } from '../fault/safeguards.ts';
import type { FaultSpec } from '../protocol/generated/index.ts';
import type { TraceEvent } from '../trace/events.ts';
import type { ClientCommand, ClientReport, OwnSpec, ClientSurroundings } from './spec.ts';

/** The first line: all a client needs to know. */
export interface ClientStart extends ClientSurroundings {
  /** 1001 and up. */
  readonly node: NodeId;
  readonly spec: OwnSpec;
  /** Where the bootstrap brokers listen (REPLICATION). */
  readonly addresses: readonly { readonly node: NodeId; readonly host: string; readonly port: number }[];
  /** Its own file: made if it is not there, appended to if it is. */
  readonly file: string;
  /** Seed of its random streams; 0 draws one. */
  readonly seed: number;
  /** What stands when it starts. */
  readonly faults: readonly FaultSpec[];
  readonly cutTo: readonly NodeId[];
  readonly safeguardsOff: readonly Safeguard[];
}

/** A line on a client's stdin. Carried out in order; `arm` is answered by an event `fault.armed` or by `refused`. */
export type ToClient =
  | { readonly start: ClientStart }
  | { readonly command: ClientCommand }
  | { readonly arm: FaultSpec }
  | { readonly disarm: string }
  | { readonly release: string }
  | { readonly link: { readonly to: NodeId; readonly cut: boolean } }
  | { readonly safeguard: { readonly name: Safeguard; readonly on: boolean } };

/** A line on a client's stdout and in its file. */
export type FromClient =
  | { readonly report: ClientReport }
  | { readonly event: TraceEvent }
  /** A fault could not be armed. */
  | { readonly refused: string };

/** A line as it is written: with the time, on the machine's monotonic clock, which all its processes share, µs. */
export type Said = FromClient & { readonly atUs: number };
