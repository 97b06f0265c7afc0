// The faults of a node as its Kafka listener meets them: behind the door through which everything reaches the cores, so that a
// node that kills or pauses itself at a point of the wire says nothing after it.
import type { FaultEngine } from '../fault/engine.ts';
import type { WireFaults } from '../kafka/fault-gate.ts';
import type { Turns } from '../runtime/real/turns.ts';

/** @param engine The engine once there is one: what arrives earlier waits at the door (see `Turns.hold`). */
export function wireFaults(turns: Turns, engine: () => FaultEngine | undefined): WireFaults {
  return {
    get quiet() {
      return engine()?.quiet ?? false;
    },
    asks: (point, fields) => engine()?.asks(point, fields) ?? false,
    whenHealed: (run) => engine()?.whenHealed(run) ?? (() => undefined),
    pass: (point, sets, flow) =>
      turns.deliver(() => {
        const faults = engine();
        if (faults?.watches(point) === true) faults.pass(point, sets(), flow);
        else flow.go();
      }),
    leave: (run) => turns.depart(run),
  };
}
