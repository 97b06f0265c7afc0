// deploy/k8s is held against the published schemas of Kubernetes (kubernetes-schema.json, cut by tools/kubernetes-schema.mjs):
// kinds and versions that exist, no key that does not, every value of its type.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { MANIFESTS, manifests, type Manifest } from './files.ts';

interface KindSchema {
  readonly properties: { readonly kind: { readonly enum: [string] }; readonly apiVersion: { readonly enum: [string] } };
}
interface Schemas {
  readonly oneOf: readonly KindSchema[];
  readonly $defs: Readonly<Record<string, unknown>>;
}

const schemas = JSON.parse(readFileSync(new URL('kubernetes-schema.json', import.meta.url), 'utf8')) as Schemas;
const byKind = new Map(
  schemas.oneOf.map((kind) => {
    const { apiVersion, kind: name } = kind.properties;
    const whole = { ...kind, $defs: schemas.$defs } as Parameters<typeof z.fromJSONSchema>[0];
    return [`${apiVersion.enum[0]} ${name.enum[0]}`, z.fromJSONSchema(whole)] as const;
  }),
);

/** What the schemas have against an object, a line each. */
function problemsOf(manifest: unknown): string[] {
  const { apiVersion, kind } = manifest as Manifest;
  const schema = byKind.get(`${apiVersion} ${kind}`);
  if (schema === undefined) return [`no schema for ${apiVersion} ${kind}`];
  const result = schema.safeParse(manifest);
  return (result.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

test.each(MANIFESTS)('%s is what Kubernetes takes', (file) => {
  for (const manifest of manifests(file)) expect(problemsOf(manifest)).toEqual([]);
});

test('what Kubernetes would refuse is refused', () => {
  const broken = structuredClone(manifests('k8s/cluster.yaml').find(({ kind }) => kind === 'StatefulSet')) as {
    apiVersion: string;
    spec: Record<string, unknown> & { template: { spec: Record<string, unknown> } };
  };
  delete broken.spec['selector'];
  broken.spec['replicas'] = '3';
  broken.spec.template.spec['containers'] = [{ image: 'highwater', livenesProbe: {} }];
  expect(problemsOf(broken)).toEqual([
    'spec.replicas: Invalid input: expected number, received string',
    'spec.selector: Invalid input: expected object, received undefined',
    'spec.template.spec.containers.0.name: Invalid input: expected string, received undefined',
    'spec.template.spec.containers.0: Unrecognized key: "livenesProbe"',
  ]);
  expect(problemsOf({ ...broken, apiVersion: 'apps/v2' })).toEqual(['no schema for apps/v2 StatefulSet']);
});
