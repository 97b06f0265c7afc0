// Where a process may listen, and what it says when it cannot (design section 10). For gRPC and the Kafka listener alike.

/** An address that cannot be bound, as a sentence that names it and what to do. */
export class BindError extends Error {
  override name = 'BindError';
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/** Whether only processes of this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Where this machine reaches what listens on `host`. */
export function loopbackOf(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}

/** Refuses to listen to a network without a secret. */
export function refuseOpenBind(host: string, secret: string): BindError | undefined {
  if (secret !== '' || isLoopback(host)) return undefined;
  return new BindError(
    `${host} can be reached from other machines, and no secret is set: anybody could break this cluster. ` +
      'Set HIGHWATER_SECRET (or the secret file), or bind 127.0.0.1.',
  );
}

/** Why an address could not be bound. */
export function bindProblem(host: string, port: number, error: Error): BindError {
  return new BindError(sentence(host, port, error.message), { cause: error });
}

function sentence(host: string, port: number, reason: string): string {
  if (reason.includes('EADDRINUSE')) {
    return `port ${port} of ${host} is taken by another process. Choose another port, or 0 for any free one.`;
  }
  if (reason.includes('EADDRNOTAVAIL'))
    return `${host} is not an address of this machine, so port ${port} cannot be bound.`;
  if (reason.includes('EACCES')) return `port ${port} of ${host} may not be bound by this user. Choose one above 1023.`;
  if (/ENOTFOUND|EAI_AGAIN/.test(reason))
    return `the name ${host} cannot be resolved, so port ${port} cannot be bound.`;
  return `port ${port} of ${host} cannot be bound: ${reason}`;
}
