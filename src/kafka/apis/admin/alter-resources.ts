// What AlterConfigs and IncrementalAlterConfigs have in common: the way to the controller and the response (wire W-77, W-88).
import type { Writer } from '../../../base/field-writer.ts';
import { errorCode, respond, type Answer, type Call } from '../api.ts';
import { resourceType } from './config-codes.ts';
import { messageOf, UNANSWERED } from './refusals.ts';

export interface Resource {
  readonly resourceType: number;
  readonly resourceName: string;
}

/** The changes of one resource. */
export interface ResourceChanges {
  readonly resource: Resource;
  /** Settings that are not named go back to their defaults. */
  readonly replace: boolean;
  readonly changes: readonly { readonly name: string; readonly operation: string; readonly value: string | null }[];
}

export interface AlteredResponse {
  readonly responses: readonly (Resource & { readonly errorCode: number; readonly errorMessage: string | null })[];
}

/** Has the controller decide; neither request says how long to wait for it. */
export function alterResources(
  call: Call,
  altered: readonly ResourceChanges[],
  validateOnly: boolean,
  answer: Answer<AlteredResponse>,
): void {
  const { admin } = call.broker;
  const resources = altered.map(({ resource, replace, changes }) => ({
    ...{ type: resourceType(resource.resourceType), name: resource.resourceName, replace },
    changes: changes.map(({ name, operation, value }) => {
      return { name, operation, value: value ?? '', hasValue: value !== null };
    }),
  }));
  admin.forward('AlterConfigs', { resources, validateOnly }, admin.patienceMs, (outcome) =>
    answer(() =>
      respond({
        responses: altered.map(({ resource }, at) => {
          const { error, errorMessage } =
            outcome.kind === 'answered'
              ? outcome.response.resources[at]!
              : { error: outcome.error, errorMessage: UNANSWERED[outcome.error] };
          return { ...named(resource), errorCode: errorCode(error), errorMessage: messageOf(error, errorMessage) };
        }),
      }),
    ),
  );
}

/** Writes the body of either response. */
export function writeAltered(writer: Writer, { responses }: AlteredResponse): void {
  writer.int32(0).structs(responses, (result) => {
    writer.int16(result.errorCode).nullableString(result.errorMessage);
    writer.int8(result.resourceType).string(result.resourceName);
  });
  writer.tags();
}

/** The same error for each. */
export function refuseResources(resources: readonly Resource[], code: number): AlteredResponse {
  return { responses: resources.map((resource) => ({ ...named(resource), errorCode: code, errorMessage: null })) };
}

function named({ resourceType: type, resourceName }: Resource): Resource {
  return { resourceType: type, resourceName };
}
