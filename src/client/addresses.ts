// Reads "host:port" as people write it: names, IPv4, and IPv6 in brackets.
import { ConfigError } from '../protocol/config.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Throws ConfigError with what may be written instead. */
export function parseAddress(text: string): Address {
  const match = /^(?:\[([0-9a-f:.%]+)\]|([^:[\]\s]+)):(\d{1,5})$/i.exec(text.trim());
  const port = Number(match?.[3]);
  if (match === null || port < 1 || port > 65_535) {
    throw new ConfigError(`"${text}" is no address; write host:port, e.g. localhost:9092 or [::1]:9092`);
  }
  return { host: (match[1] ?? match[2])!, port };
}
