// The contract of an operator as a script for the pages of the Console, which list its scopes, events and kinds. The pages
// of the default contract contain these lists and load no script.
import {
  canCreate,
  contract,
  type InstalledResource,
  isOperatorContract,
  type OperationDeclaration,
  resources,
} from '../access/contracts/index.ts';
import { EVENT_KINDS, EVENT_TYPES, type EventType } from '../resources/events/index.ts';
import { exampleBody, exampleKey, hasKnownParent } from '../resources/operations/index.ts';
import { settableFields } from '../sandbox/world/index.ts';

interface DeclaredOperation extends OperationDeclaration {
  id: string;
  resource: InstalledResource;
}

const OPERATIONS: readonly DeclaredOperation[] = resources.flatMap((resource) =>
  Object.entries(resource.operations ?? {}).map(([id, operation]) => ({ ...operation, id, resource })),
);

/** Returns true if a command can call the operation without an identifier or another value of the app. */
const needsNoValue = ({ path, query = {} }: DeclaredOperation): boolean =>
  !path.includes('{') && Object.values(query).every(({ required }) => !required);

const typesOf = ({ events }: InstalledResource, has: 'creates'): string[] =>
  Object.entries(events).flatMap(([type, event]) => (event[has] ? [type] : []));

/** Returns a call that lists objects, for the first steps of an app; undefined if each needs a value. */
function firstRead() {
  const found = OPERATIONS.find((one) => one.effect === 'list' && needsNoValue(one));
  return found && { path: `/v1${found.path}`, scopes: found.scopes };
}

/** Returns the path of a creation. A PUT gets an unused identifier. */
const creationPathOf = ({ path, creates, resource }: DeclaredOperation): string =>
  creates ? path.replace(`{${resource.idName}}`, encodeURIComponent(exampleKey(resource))) : path;

/** Returns a call whose event is delivered; undefined if each needs a value. */
function firstCreation() {
  const isSuitable = (one: DeclaredOperation): boolean =>
    canCreate(one) &&
    needsNoValue({ ...one, path: creationPathOf(one) }) &&
    hasKnownParent(one.resource, one) &&
    typesOf(one.resource, 'creates').length > 0;
  const found = OPERATIONS.find(isSuitable);
  if (!found) return undefined;
  const { method, scopes, summary, resource } = found;
  const body = JSON.stringify(exampleBody(resource, found));
  return { method, path: `/v1${creationPathOf(found)}`, scopes, summary, body, event: typesOf(resource, 'creates')[0] };
}

/** Returns the fields of an event that a form can set: texts, choices, numbers and booleans. */
function formFields(type: EventType) {
  return Object.entries(settableFields(type)).flatMap(([name, schema]) => {
    const { type: of, enum: values, maxLength: most }: Record<string, unknown> = { ...schema };
    if (Array.isArray(values))
      return values.every((value) => typeof value === 'string') ? [{ name, choices: values }] : [];
    if (of === 'boolean') return [{ name, choices: ['true', 'false'] }];
    if (of === 'string') return [{ name, most }];
    return of === 'integer' || of === 'number' ? [{ name }] : [];
  });
}

/** Returns the script; undefined for the default contract. */
export function contractScript(): string | undefined {
  if (!isOperatorContract) return undefined;
  const { scopes, keyPresets, presets } = contract;
  const summary = {
    scopes,
    keyPresets,
    events: Object.fromEntries(EVENT_TYPES.map((type) => [type, EVENT_KINDS[type].meaning])),
    eventFields: Object.fromEntries(EVENT_TYPES.map((type) => [type, formFields(type)])),
    presets: Object.fromEntries(Object.entries(presets).map(([name, { meaning }]) => [name, meaning])),
    resources: resources.map((one) => ({
      ...{ kind: one.kind, plural: one.plural, noun: one.noun, idPrefix: one.idPrefix },
      events: Object.keys(one.events),
      creations: typesOf(one, 'creates'),
      parent: one.parent?.kind,
    })),
    operationIds: OPERATIONS.map(({ id }) => id),
    firstRead: firstRead(),
    firstCreation: firstCreation(),
  };
  return `globalThis.slipwayContract = ${JSON.stringify(summary)};\n`;
}
