// Answers a container's health check without another Node process: one line over plain HTTP on the loopback, which a shell
// can ask for. Healthy means that the node does its work: a broker is unfenced, a controller decides.
import { createServer, type Server } from 'node:http';

/** The node's state, or why it has none. */
export type HealthOf = () => Promise<{ readonly healthy: boolean; readonly state: string }>;

/** Serves GET on any path: 200 if healthy, else 503; the body is the state. Resolves when it listens. */
export function openHealthDoor(port: number, health: HealthOf): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    const answer = (healthy: boolean, state: string): void => {
      response.writeHead(healthy ? 200 : 503, { 'content-type': 'text/plain', connection: 'close' }).end(`${state}\n`);
    };
    health().then(
      ({ healthy, state }) => answer(healthy, state),
      (error: Error) => answer(false, error.message),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
