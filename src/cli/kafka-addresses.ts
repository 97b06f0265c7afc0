// What `up` is told of Kafka listeners (wire W-36): what clients are told instead of where brokers listen, and a second listener
// for clients outside. Reads words; whether the ports are free is seen when the cluster is laid out.
import type { Address, ListenerPlan } from '../agent/kafka-listeners.ts';
import { Problem } from './problem.ts';

export interface ListenerOptions {
  readonly advertise?: string;
  readonly outside?: string;
  readonly outsideBind?: string;
}

/** Takes a recorded address back. */
const OFF = 'off';
const LOOPBACK = '127.0.0.1';

/** The plan. Throws a Problem that says what to write. */
export function listenerPlan(options: ListenerOptions, brokers: number): ListenerPlan {
  const { advertise, outside, outsideBind } = options;
  if (outsideBind !== undefined && (outside === undefined || outside === OFF)) {
    throw new Problem('HW2001', '--outside-bind says where the listener of --outside listens: give both');
  }
  const told = outside === undefined || outside === OFF ? undefined : parseAddress('--outside', outside, brokers);
  const bind =
    outsideBind === undefined
      ? told && { host: LOOPBACK, port: told.port }
      : parseAddress('--outside-bind', outsideBind, brokers);
  return {
    ...(advertise !== undefined && {
      advertise: advertise === OFF ? OFF : parseAddress('--advertise', advertise, brokers),
    }),
    ...(outside !== undefined && { outside: told === undefined ? OFF : { ...told, bind: bind! } }),
  };
}

/** "host:port", the port of broker 1; those of the others follow. IPv6 stands in brackets. */
function parseAddress(flag: string, text: string, brokers: number): Address {
  const example = `${flag} is HOST:PORT, the address of broker 1; the ports of the others follow. E.g. 127.0.0.1:39092`;
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([a-zA-Z0-9](?:[a-zA-Z0-9._-]*[a-zA-Z0-9])?)):(\d{1,5})$/.exec(text);
  if (match === null)
    throw new Problem(
      'HW2001',
      `${example}, not "${text}"${flag === '--outside-bind' ? '' : `; ${OFF} takes it back`}`,
    );
  const [, ip6, name, digits] = match;
  const port = Number(digits);
  const most = 65_536 - brokers;
  if (port < 1 || port > most) {
    throw new Problem(
      'HW2001',
      `the port of ${flag} is a whole number from 1 to ${most} for ${brokers} brokers, not ${port}`,
    );
  }
  return { host: ip6 ?? name!, port };
}
