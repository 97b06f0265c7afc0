// Why a cluster did not start, in words that say what to do.

/** No engine, no image, no port, or nodes that cannot start; then with the end of the containers' logs. */
export class StartFailed extends Error {
  override name = 'StartFailed';
}

/** What an engine says if a port is taken. */
const PORT_TAKEN = /port is already allocated|address already in use|ports are not available/i;

export function portIsTaken(error: unknown): boolean {
  return error instanceof Error && PORT_TAKEN.test(error.message);
}

/** The error of the testcontainers library as ours, where we know more than it does. */
export function explained(error: unknown, image: string): Error {
  if (!(error instanceof Error)) return new StartFailed(String(error));
  if (error instanceof StartFailed) return error;
  const say = (why: string): StartFailed => new StartFailed(why, { cause: error });
  if (/could not find a working container runtime/i.test(error.message)) {
    return say('no container engine answers. Start one (Docker, Podman, …), or set DOCKER_HOST to where one listens');
  }
  // Our image is known to be there by then: what cannot be pulled is the helper of testcontainers.
  if (/ryuk|registry|manifest|pull access/i.test(error.message)) {
    return say(
      `testcontainers cannot start its helper, which removes what a dead test leaves (${error.message}). ` +
        'Pull the image testcontainers/ryuk, or set TESTCONTAINERS_RYUK_DISABLED=true and stop what you start',
    );
  }
  return say(`a container of ${image} cannot be started: ${error.message}`);
}

/** The image is not there and nobody can be asked for it. */
export function imageMissing(image: string, why?: string): StartFailed {
  const pulled = why === undefined ? '' : `, and cannot be pulled (${why})`;
  return new StartFailed(
    `image ${image} is not there${pulled}. Build it with \`npm run image\` in a clone of Highwater, ` +
      'or name the one you have: new HighwaterContainer(IMAGE)',
  );
}
