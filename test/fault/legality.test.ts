// An illegal pair of point and action is a usage error (design section 6).
import { describe, expect, test } from 'vitest';
import { actionsOfClients, legalActions, refuseFault, type ActionKind } from '../../src/fault/legality.ts';
import { equals, faultSpec, type FaultDraft } from '../../src/fault/spec.ts';
import { POINTS } from '../../src/fault/points.ts';
import { WIRE_APIS } from '../../src/kafka/registry.ts';
import { APIS } from '../../src/protocol/apis.ts';
import { pointApi } from '../../src/protocol/wire-points.ts';

const refusal = (draft: Partial<FaultDraft>): string | undefined =>
  refuseFault(faultSpec({ id: 'f', point: 'rpc.Fetch.response', action: 'hold', ...draft }));

describe('what a fault may be', () => {
  test('every point takes kill and pause; only what can wait takes hold', () => {
    for (const [point, { kind }] of Object.entries(POINTS)) {
      expect(legalActions(point)).toEqual(expect.arrayContaining(['kill', 'pause', 'notify', 'elect']));
      expect(legalActions(point).includes('hold')).toBe(kind !== 'observation');
      expect(legalActions(point).includes('drop')).toBe(kind === 'message');
    }
  });

  test('what only Kafka clients can suffer is told apart, and is what a fault on them takes', () => {
    expect(actionsOfClients('rpc.Produce.request')).toContain('error');
    expect(actionsOfClients('rpc.Fetch.request')).toEqual([]); // followers alone
    expect(actionsOfClients('rpc.ApiVersions.request')).toEqual([]); // Kafka clients alone: nothing to be told apart
    for (const point of Object.keys(POINTS)) {
      const where = [equals('via', 'kafka')];
      for (const kind of actionsOfClients(point)) {
        const action = { kind, error: 'NOT_LEADER_OR_FOLLOWER' } as FaultDraft['action'];
        expect([point, refusal({ point, action }) === undefined]).toEqual([point, false]);
        expect([point, refusal({ point, action, where })]).toEqual([point, undefined]);
      }
    }
  });

  test('an unknown point is answered with the nearest', () => {
    expect(refusal({ point: 'rpc.Fech.response' })).toBe('no point "rpc.Fech.response". Nearest: rpc.Fetch.response');
  });

  test('an unknown action is answered with the nearest', () => {
    expect(
      refuseFault({
        ...faultSpec({ id: 'f', point: 'log.flushed', action: 'kill' }),
        action: { kind: 'kil', target: '', durationMs: 0, error: 'NONE', laterMs: 0 },
      }),
    ).toBe('no action "kil". Nearest: kill');
  });

  test('what befalls a disk strikes where a node writes or reads', () => {
    const refusedAt = (point: string, kind: ActionKind) => refusal({ point, action: { kind, durationMs: 1 } });
    for (const kind of ['disk:full', 'disk:slow', 'disk:write-error'] as const) {
      expect(refusedAt('disk.write', kind)).toBeUndefined();
      expect(refusedAt('log.append.leader', kind)).toBe(`${kind} strikes where a node writes: use it at disk.write`);
    }
    for (const kind of ['disk:read-error', 'disk:flip-bit'] as const) {
      expect(refusedAt('disk.read', kind)).toBeUndefined();
      expect(refusedAt('disk.write', kind)).toBe(`${kind} strikes where a node reads: use it at disk.read`);
    }
    expect(refusal({ point: 'disk.write', action: 'disk:slow' })).toContain('such as disk:slow:200ms');
    expect(refusal({ point: 'disk.write', action: { kind: 'disk:full', laterMs: 5 } })).toContain('leave later out');
    expect(refusal({ point: 'disk.read', action: 'hold' })).toContain('already happened');
  });

  test('what only messages can do is refused elsewhere, and the other way round', () => {
    expect(refusal({ point: 'log.append.leader', action: 'drop' })).toContain('rpc.<Api>.request or .response');
    expect(refusal({ point: 'log.truncated', action: 'hold' })).toContain('already happened');
    expect(refusal({ point: 'rpc.Fetch.request', action: { kind: 'error', error: 'UNKNOWN_LEADER_EPOCH' } })).toContain(
      'rpc.Fetch.response',
    );
    expect(refusal({ action: 'disconnect' })).toContain('rpc.Fetch.request');
    expect(refusal({ point: 'rpc.Metadata.response', action: 'duplicate' })).toContain('rpc.Metadata.request');
    expect(refusal({ action: 'duplicate' })).toBeUndefined();
    expect(refusal({ point: 'rpc.Fetch.request', action: 'lose-response' })).toContain('rpc.Fetch.response');
  });

  test('details are checked: lengths of time, codes, fields, counts', () => {
    expect(refusal({ action: 'delay' })).toContain('200ms');
    expect(refusal({ action: { kind: 'error', error: 'NONE' } })).toContain('NOT_LEADER_OR_FOLLOWER');
    expect(refusal({ action: { kind: 'hold', laterMs: 5 } })).toContain('use delay');
    expect(refusal({ where: [equals('replica', 2)] })).toContain('has no field "replica"; it has node, from, to');
    expect(refusal({ where: [equals('node', 1)] })).toBeUndefined();
    expect(refusal({ nth: -1 })).toContain('whole numbers');
    expect(refusal({ probability: 1.5 })).toContain('between 0 and 1');
    expect(refusal({ id: '*' })).toContain('name');
  });

  test('what Kafka clients alone say is refused where none of them is heard', () => {
    const consumer = refusal({ point: 'rpc.Fetch.request', where: [equals('clientId', 'my-app')] });
    expect(consumer).toContain('has no field "clientId"');
    expect(consumer).toContain('what consumers fetch is at rpc.ConsumerFetch.request');
    expect(refusal({ where: [equals('via', 'kafka')] })).toContain('rpc.ConsumerFetch.response');
    expect(refusal({ where: [equals('via', 'grpc')] })).toBeUndefined();
    const between = refusal({ point: 'rpc.AlterPartition.request', where: [equals('apiVersion', 1)] });
    expect(between).toContain('Nodes alone talk there');
    expect(refusal({ point: 'log.flushed', action: 'kill', where: [equals('clientId', 'a')] })).not.toContain('Nodes');
  });

  test('every API that Kafka clients are served can be aimed at by what they say', () => {
    for (const { name } of WIRE_APIS) {
      const where = [equals('clientId', 'a'), equals('via', 'kafka'), equals('listener', 'inside')];
      expect(refusal({ point: `rpc.${pointApi(name)}.request`, action: 'drop', where })).toBeUndefined();
    }
    const reachable = new Set([...WIRE_APIS.map(({ name }) => pointApi(name)), ...Object.keys(APIS)]);
    const points = Object.keys(POINTS).filter((point) => point.startsWith('rpc.'));
    expect(points.filter((point) => !reachable.has(point.split('.')[1]!))).toEqual([]);
  });

  test('a value that a field never has is refused, with those that it has', () => {
    const at = (field: string, value: string): string | undefined =>
      refusal({ point: 'rpc.Produce.response', where: [equals(field, value)] });
    expect(at('via', 'wire')).toBe('via is kafka or grpc, not "wire"');
    expect(at('listener', 'PLAINTEXT')).toBe('listener is inside or outside, not "PLAINTEXT"');
    expect(at('clientId', 'anything')).toBeUndefined();
  });
});
