// Types that are built one by one must be what proto/ declares, in whichever order they are asked for.
import protobuf from 'protobufjs/light.js';
import { expect, test } from 'vitest';
import descriptor from '../../src/protocol/generated/descriptor.json' with { type: 'json' };
import { messageType, serviceMethods } from '../../src/runtime/message-types.ts';

const declared = descriptor.nested.highwater.nested.v1.nested as Readonly<Record<string, object>>;
const whole = protobuf.Root.fromJSON(descriptor as unknown as protobuf.INamespace);
const namesWith = (key: string): string[] => Object.keys(declared).filter((name) => key in declared[name]!);

test('a message type built when it is asked for is the declared one, with the types of its fields', () => {
  const names = namesWith('fields');
  expect(names.length).toBeGreaterThan(100);
  for (const name of names.reverse()) {
    const [lazy, eager] = [messageType(name), whole.lookupType(`highwater.v1.${name}`)];
    expect(lazy.toJSON(), name).toEqual(eager.toJSON());
    for (const [index, field] of lazy.fieldsArray.entries()) {
      const other = eager.fieldsArray[index]!;
      expect(field.resolvedType?.fullName, field.fullName).toBe(other.resolvedType?.fullName);
      expect([field.packed, field.repeated, field.optional], field.fullName).toEqual([
        other.packed,
        other.repeated,
        other.optional,
      ]);
    }
  }
});

test('a field of a message type is the type that is asked for by its name', () => {
  expect(messageType('FetchRequest').fields['partitions']!.resolvedType).toBe(messageType('FetchPartition'));
});

test('the methods of a service are the declared ones, in their order', () => {
  for (const name of namesWith('methods')) {
    const eager = whole.lookupService(`highwater.v1.${name}`).methodsArray;
    expect(serviceMethods(name)).toEqual(
      eager.map((method) => ({
        name: method.name,
        path: `/highwater.v1.${name}/${method.name}`,
        requestType: method.requestType,
        responseType: method.responseType,
        requestStream: method.requestStream === true,
        responseStream: method.responseStream === true,
      })),
    );
  }
});

test('what proto/ does not declare is refused by name', () => {
  expect(() => messageType('NoSuchMessage')).toThrow('NoSuchMessage');
  expect(() => serviceMethods('NoSuchService')).toThrow('no service NoSuchService');
});
