// Installs the foreign clients that tests want and that are not there: Debian's packages where this is Debian and we are root.
// Says what will be skipped and why. What npm has is locked in package.json; Maven's packages are fetched by the tests.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const succeeds = (command, args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
const python = (module) => () => succeeds('/usr/bin/python3', ['-c', `import ${module}`]);

/** What tests want of a machine, by the set of tests that wants it. */
const WANTED = {
  debian: [
    { name: 'kcat', packages: ['kcat'], isThere: () => succeeds('kcat', ['-V']) },
    { name: 'kafka-python', packages: ['python3-kafka'], isThere: python('kafka') },
    { name: 'confluent-kafka-python', packages: ['python3-confluent-kafka'], isThere: python('confluent_kafka') },
  ],
  // To build a newer librdkafka, with every codec.
  built: [
    { name: 'a C compiler', packages: ['gcc', 'libc6-dev'], isThere: () => succeeds('gcc', ['--version']) },
    { name: 'make', packages: ['make'], isThere: () => succeeds('make', ['--version']) },
    { name: 'zlib', packages: ['zlib1g-dev'], isThere: () => existsSync('/usr/include/zlib.h') },
    { name: 'zstd', packages: ['libzstd-dev'], isThere: () => existsSync('/usr/include/zstd.h') },
  ],
  java: [
    { name: 'a JDK', packages: ['default-jdk-headless'], isThere: () => succeeds('javac', ['-version']) },
    { name: 'Maven', packages: ['maven'], isThere: () => succeeds('mvn', ['-version']) },
  ],
};

/** Installs what the sets want; what cannot be had is told, and its tests are skipped by themselves. */
export function installClients(sets) {
  const wanted = sets.flatMap((set) => WANTED[set]);
  const missing = wanted.filter(({ isThere }) => !isThere());
  if (missing.length === 0) return;
  const reason = install(missing.flatMap(({ packages }) => packages));
  for (const { name, isThere } of missing) {
    process.stderr.write(isThere() ? `installed ${name}\n` : `skipped: tests with ${name}, which ${reason}\n`);
  }
}

/** Tries to install; says why what is still missing afterwards is missing. */
function install(packages) {
  if (!existsSync('/etc/debian_version')) return 'is not installed, and this is no Debian';
  if (process.getuid?.() !== 0) return `is not installed: apt-get install ${packages.join(' ')}`;
  const run = (args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  process.stderr.write(`installing ${packages.join(' ')}…\n`);
  run(['update', '-qq']);
  // One by one: a package that this release lacks must not keep the others away.
  const said = packages.map((name) => run(['install', '-y', '-qq', '--no-install-recommends', name]).stderr.trim());
  return `cannot be installed: ${said.filter((text) => text !== '').at(-1) ?? 'apt-get does not say why'}`;
}
