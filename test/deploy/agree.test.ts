// What stands in several files of deploy/ agrees: each is held against the program that reads it, not against a copy of itself.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { INSIDE, readPlace, type ContainerPlace } from '../../src/agent/container-layout.ts';
import { parseSeeds, parseShard, shardOf } from '../../src/cli/seed-range.ts';
import {
  DEPLOY,
  dockerfile,
  manifests,
  ofPods,
  ofServices,
  read,
  services,
  statefulSets,
  type Container,
  type PodText,
} from './files.ts';

const scratch = mkdtempSync(join(tmpdir(), 'highwater-deploy-'));
const SECRET = join(scratch, 'highwater');
writeFileSync(SECRET, 'a secret of more than 16 characters');
afterAll(() => rmSync(scratch, { recursive: true }));

/** The place that a container's agent would read, and the variables meant for it that it did not look at. */
function placeOf({ env, home }: Container): { place: ContainerPlace; unread: string[] } {
  const asked = new Set<string>();
  const here = new Proxy<Record<string, string>>(
    { ...env, HIGHWATER_SECRET_FILE: SECRET },
    { get: (target, name: string) => (asked.add(name), target[name]) },
  );
  const place = readPlace(here, home);
  return { place, unread: Object.keys(env).filter((name) => !asked.has(name)) };
}

const yamlFiles = readdirSync(DEPLOY, { recursive: true, encoding: 'utf8' }).filter((name) => /\.ya?ml$/.test(name));

test.each(yamlFiles)('%s is YAML without an error or a warning', (file) => {
  const problems = parseAllDocuments(read(file), { merge: true, uniqueKeys: true }).flatMap(
    (document) => [...document.errors, ...document.warnings], // Both are what a reader would stumble over.
  );
  expect(problems).toEqual([]);
});

const CLUSTERS: readonly (readonly [string, (env?: Readonly<Record<string, string>>) => Container[]])[] = [
  ['docker-compose.yml', (env) => ofServices('docker-compose.yml', env)],
  ['stack.yml', (env) => ofServices('stack.yml', env)],
  ['k8s/cluster.yaml', () => ofPods()],
];

describe.each(CLUSTERS)('%s', (_, containersOf) => {
  const containers = containersOf();

  test('has a container for each node, and tells all of them the same cluster', () => {
    const places = containers.map((container) => placeOf(container).place);
    expect(places.map(({ own }) => own)).toEqual(expect.arrayContaining([[1], [2], [3], [100]]));
    expect(places).toHaveLength(4);
    for (const { state } of places) expect(state).toEqual(places[0]?.state);
  });

  test('sets no variable that the agent does not know', () => {
    for (const container of containers) expect(placeOf(container).unread).toEqual([]);
  });

  test('mounts volume and secret where the image and the agent look for them', () => {
    const home = /HIGHWATER_HOME=(\S+)/.exec(dockerfile().get('ENV') ?? '')?.[1];
    for (const container of containers) {
      expect(container.home).toBe(home);
      expect(container.env['HIGHWATER_SECRET_FILE']).toBe(container.secret);
      expect(container.secret).toBe('/run/secrets/highwater');
      expect(container.image).toBe('highwater:latest');
    }
  });
});

describe.each(CLUSTERS.slice(0, 2))('%s', (file, containersOf) => {
  test.each([{}, { HIGHWATER_PORTS: '29', HIGHWATER_OUTSIDE: 'demo.example' }])(
    'publishes the ports that brokers tell clients outside: %o',
    (env) => {
      for (const container of containersOf(env)) {
        const { state, own } = placeOf(container).place;
        const { kafkaPort, grpcPort, agentPort, host } = state.nodes.find(({ id }) => id === own[0])!.outside!;
        const kafka: [number, number][] = kafkaPort === 0 ? [] : [[kafkaPort, kafkaPort]];
        expect(container.ports).toEqual(new Map([...kafka, [grpcPort, grpcPort], [INSIDE.agentPort, agentPort]]));
        expect(host).toBe(env.HIGHWATER_OUTSIDE ?? '127.0.0.1');
      }
    },
  );

  test('starts nothing again on its own, and reaps what is left behind', () => {
    for (const [, { restart, deploy, init }] of services(file)) {
      expect(deploy?.restart_policy.condition ?? restart).toBe(file === 'stack.yml' ? 'none' : 'no');
      expect(init).toBe(true);
    }
  });
});

test('a swarm keeps every node at the host of its volume, publishes it there, and kills none for being unwell', () => {
  for (const [name, { deploy, healthcheck, ports = [] }] of services('stack.yml')) {
    expect(deploy?.placement.constraints).toEqual([`node.labels.highwater.${name} == here`]);
    expect(healthcheck).toEqual({ disable: true });
    expect(ports.map((port) => (typeof port === 'string' ? port : port.mode))).toEqual(ports.map(() => 'host'));
  }
});

describe('the image', () => {
  const text = dockerfile();

  test('tells the ports of its programs, and is asked for its health at the port that answers', () => {
    const { agentPort, grpcPort, kafkaPort, healthPort } = INSIDE;
    expect(text.get('EXPOSE')?.split(' ').map(Number)).toEqual([kafkaPort, agentPort, grpcPort]);
    expect(text.get('HEALTHCHECK')).toContain(`/dev/tcp/127.0.0.1/${healthPort} `);
  });

  test('is run by Kubernetes as its own user, and asked there by its own health check', () => {
    const [user, group] = text.get('USER')!.split(':').map(Number);
    const check = /CMD (\[.*\])$/.exec(text.get('HEALTHCHECK')!)![1]!;
    for (const { spec } of statefulSets()) {
      const pod = spec.template.spec;
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: user,
        runAsGroup: group,
        fsGroup: group,
      });
      expect(pod.containers[0]!.readinessProbe?.exec.command).toEqual(JSON.parse(check));
    }
  });
});

describe('on Kubernetes', () => {
  test('each pod is found at the name that the others are told, and its service has its ports', () => {
    const nodes = placeOf(ofPods()[0]!).place.state.nodes;
    const headless = manifests('k8s/cluster.yaml').filter(({ kind }) => kind === 'Service');
    for (const { metadata, spec } of statefulSets()) {
      const start = spec.ordinals?.start ?? 0;
      const pods = Array.from({ length: spec.replicas }, (_, index) => `${metadata.name}-${index + start}`);
      const mine = nodes.filter(({ role }) => metadata.name.startsWith(role));
      const domain = `${spec.serviceName}.${metadata.namespace}.svc`;
      expect(mine.map(({ host }) => host)).toEqual(pods.map((pod) => `${pod}.${domain}`));

      const { agentPort, grpcPort, kafkaPort } = mine[0]!;
      const ports = [kafkaPort, agentPort!, grpcPort].filter((port) => port > 0);
      expect([
        ...ofPods()
          .find(({ name }) => name === pods[0])!
          .ports.keys(),
      ]).toEqual(ports);
      const service = headless.find((each) => each.metadata.name === spec.serviceName)?.spec as {
        readonly ports: readonly { readonly port: number }[];
      };
      expect(service).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true });
      expect(service.ports.map(({ port }) => port)).toEqual(ports);
    }
  });

  test('no pod has a liveness probe, may write to its image, or gain a privilege; each says what it needs', () => {
    const job = manifests('k8s/campaign.yaml')[0]!.spec as { template: { spec: PodText } };
    for (const { containers, securityContext } of [job, ...statefulSets().map(({ spec }) => spec)].map(
      ({ template }) => template.spec,
    )) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      for (const container of containers) {
        expect(container.livenessProbe).toBeUndefined();
        expect(container.securityContext).toEqual({
          ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources).toMatchObject({ requests: { cpu: expect.any(String) }, limits: {} });
      }
    }
  });

  test('the campaign has a pod for each share, each with its own index, and together they run every seed', () => {
    const job = manifests('k8s/campaign.yaml')[0]!.spec as {
      readonly completionMode: string;
      readonly completions: number;
      readonly parallelism: number;
      readonly template: { readonly spec: PodText };
    };
    const args = job.template.spec.containers[0]!.args!;
    const behind = (flag: string): string => args[args.indexOf(flag) + 1]!;
    const seeds = parseSeeds(behind('--seeds'));
    let next = seeds.first;
    for (let index = 0; index < job.completions; index++) {
      const shard = parseShard(behind('--shard').replace('$(JOB_COMPLETION_INDEX)', String(index)));
      expect(shard.count).toBe(job.completions);
      const share = shardOf(seeds, shard);
      expect(share.first).toBe(next);
      next = share.last + 1;
    }
    expect(next).toBe(seeds.last + 1);
    expect(job).toMatchObject({ completionMode: 'Indexed', parallelism: job.completions });
  });
});
