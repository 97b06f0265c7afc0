// Cuts the published JSON schemas of Kubernetes down to the kinds that deploy/k8s uses, for the test that holds its files
// against them: what they refer to, without descriptions, a definition a line; null is nowhere a value. The folder is one
// version's "local-strict" schemas, as the Python package kubernetes-validate brings them along.
// usage: node tools/kubernetes-schema.mjs FOLDER VERSION
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { top } from './ensure.mjs';

const KINDS = ['configmap-v1', 'service-v1', 'statefulset-apps-v1', 'job-batch-v1'];
const UNUSED = new Set(['description', '$schema', '$id', 'format']);

/** A schema without what no validator needs; `properties` has names of its own. Adds the definitions it refers to. */
function cut(schema, referred) {
  if (Array.isArray(schema)) return schema.map((each) => cut(each, referred));
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = {};
  for (const [key, value] of Object.entries(schema)) {
    if (UNUSED.has(key) || key.startsWith('x-')) continue;
    if (key === '$ref') {
      const name = value.split('/').at(-1);
      referred.add(name);
      kept[key] = `#/$defs/${name}`;
    } else if (key === 'properties') {
      kept[key] = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cut(each, referred)]));
    } else if (key === 'type') kept[key] = [value].flat().find((type) => type !== 'null');
    else kept[key] = cut(value, referred);
  }
  return kept;
}

const [folder, version] = process.argv.slice(2);
if (folder === undefined || version === undefined) throw new Error('node tools/kubernetes-schema.mjs FOLDER VERSION');
const read = (name) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
const definitions = read('_definitions').$defs;
const referred = new Set();
const kinds = KINDS.map((name) => cut(read(name), referred));
const defs = {};
// What is added while this goes on is visited too.
for (const name of referred) defs[name] = cut(definitions[name], referred);
const lines = (entries) => entries.map((entry) => `    ${entry}`).join(',\n');
const names = Object.keys(defs).sort();
writeFileSync(
  join(top, 'test/deploy/kubernetes-schema.json'),
  `{\n  "title": "Kubernetes ${version}: ${KINDS.join(', ')}",\n  "oneOf": [\n` +
    `${lines(kinds.map((kind) => JSON.stringify(kind)))}\n  ],\n  "$defs": {\n` +
    `${lines(names.map((name) => `${JSON.stringify(name)}: ${JSON.stringify(defs[name])}`))}\n  }\n}\n`,
);
