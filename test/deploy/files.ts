// The files of deploy/ as the tests see them: compose, stack and Kubernetes files in one form, a container a node.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';

export const DEPLOY = fileURLToPath(new URL('../../deploy', import.meta.url));

/** What a file says of the container of one node. */
export interface Container {
  readonly name: string;
  readonly image: string;
  readonly env: Readonly<Record<string, string>>;
  /** Ports of the container that are told or published, and where. */
  readonly ports: ReadonlyMap<number, number>;
  /** Where its volume is mounted. */
  readonly home: string;
  /** The file that holds the secret. */
  readonly secret: string;
}

export const read = (file: string): string => readFileSync(join(DEPLOY, file), 'utf8');

/** Variables as compose puts them in: ${NAME:-what if it is not set or empty}. */
export function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, otherwise: string) => env[name] || otherwise);
}

interface ServiceText {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string | number | null>>;
  readonly ports?: readonly (string | { readonly target: number; readonly published: number; readonly mode: string })[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly profiles?: readonly string[];
  readonly restart?: string;
  readonly init?: boolean;
  readonly healthcheck?: { readonly disable: boolean };
  readonly deploy?: {
    readonly restart_policy: { readonly condition: string };
    readonly placement: { readonly constraints: readonly string[] };
  };
}

/** Services of a compose or stack file that are nodes. */
export function services(file: string, env: Readonly<Record<string, string>> = {}): ReadonlyMap<string, ServiceText> {
  const text = interpolate(read(file), env);
  const { services } = parse(text, { merge: true }) as { readonly services: Record<string, ServiceText> };
  return new Map(Object.entries(services).filter(([, service]) => service.profiles === undefined));
}

export function ofServices(file: string, env: Readonly<Record<string, string>> = {}): Container[] {
  return [...services(file, env)].map(([name, service]) => ({
    ...{ name, image: service.image, ports: publishedBy(service) },
    env: Object.fromEntries(
      Object.entries(service.environment ?? {}).map(([key, value]) => [key, String(value ?? '')]),
    ),
    home: service.volumes?.find((volume) => volume.startsWith(`${name}:`))?.split(':')[1] ?? '',
    secret: `/run/secrets/${service.secrets?.[0]}`,
  }));
}

function publishedBy({ ports = [] }: ServiceText): Map<number, number> {
  return new Map(
    ports.map((port) => {
      if (typeof port !== 'string') return [port.target, port.published];
      const [target, published] = port.split(':').reverse().map(Number);
      return [target!, published!];
    }),
  );
}

/** An object of Kubernetes: its kind decides what its `spec` or `data` is. */
export interface Manifest {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: unknown;
}

export interface PodText {
  readonly containers: readonly {
    readonly image: string;
    readonly args?: readonly string[];
    readonly env?: readonly { readonly name: string; readonly value?: string }[];
    readonly ports?: readonly { readonly containerPort: number }[];
    readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
    readonly livenessProbe?: unknown;
    readonly readinessProbe?: { readonly exec: { readonly command: readonly string[] } };
    readonly securityContext: Readonly<Record<string, unknown>>;
    readonly resources: { readonly requests: unknown; readonly limits: unknown };
  }[];
  readonly securityContext: Readonly<Record<string, unknown>>;
}

export interface StatefulSet extends Manifest {
  readonly spec: {
    readonly replicas: number;
    readonly ordinals?: { readonly start: number };
    readonly serviceName: string;
    readonly template: { readonly spec: PodText };
  };
}

export const MANIFESTS = ['k8s/cluster.yaml', 'k8s/campaign.yaml'] as const;

export function manifests(file: (typeof MANIFESTS)[number]): Manifest[] {
  return parseAllDocuments(read(file)).map((document) => document.toJS() as Manifest);
}

export function statefulSets(): StatefulSet[] {
  return manifests('k8s/cluster.yaml').filter((manifest): manifest is StatefulSet => manifest.kind === 'StatefulSet');
}

/** Every pod of the cluster, by its name. */
export function ofPods(): Container[] {
  const config = manifests('k8s/cluster.yaml').find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
  return statefulSets().flatMap(({ metadata, spec }) => {
    const container = spec.template.spec.containers[0]!;
    const mounts = new Map(container.volumeMounts?.map(({ name, mountPath }) => [name, mountPath]));
    return Array.from({ length: spec.replicas }, (_, index): Container => {
      const name = `${metadata.name}-${index + (spec.ordinals?.start ?? 0)}`;
      // What has no value of its own is the name of the pod.
      const own = Object.fromEntries((container.env ?? []).map((each) => [each.name, each.value ?? name]));
      return {
        ...{ name, image: container.image, env: { ...config, ...own } },
        ports: new Map(container.ports?.map(({ containerPort }) => [containerPort, containerPort])),
        ...{ home: mounts.get('data') ?? '', secret: `${mounts.get('secret')}/highwater` },
      };
    });
  });
}

/** The Dockerfile: words behind each instruction, lines that are continued put together. */
export function dockerfile(): ReadonlyMap<string, string> {
  const lines = read('Dockerfile')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '');
  return new Map(lines.map((line) => [line.split(' ')[0]!, line.slice(line.indexOf(' ') + 1)]));
}
