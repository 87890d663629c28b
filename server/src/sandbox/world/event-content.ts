// The fields that a member may set when they trigger an event: the texts of its object, or the fields of a declared
// resource.

import { isOperatorContract, RunInput, resourceEvents } from '../../access/contracts/index.ts';
import {
  namedObject,
  namedSchema,
  type Static,
  schemaErrors,
  strictObject,
  type TSchema,
  Type,
} from '../../kit/http/schema.ts';
import { type ProblemError, problem } from '../../kit/openapi/problems.ts';
import { escapePointer } from '../../kit/text/json-pointer.ts';
import type { EventType } from '../../resources/events/index.ts';
import { PublicationContent } from '../../resources/publications/index.ts';
import { RoadmapItemContent, RoadmapItemMove } from '../../resources/roadmap/index.ts';
import { TicketContent } from '../../resources/tickets/index.ts';
import { ScopeChangeContent } from '../../tenancy/installations/index.ts';
import { objectEventFields } from './object-event-fields.ts';

const WorkflowRunContent = strictObject({ input: Type.Optional(RunInput) });

// Events of other types have no fields to set.
const CONTENT_BY_TYPE = {
  'ticket.created': TicketContent,
  'publication.published': PublicationContent,
  'publication.updated': PublicationContent,
  'roadmap.item_created': RoadmapItemContent,
  'roadmap.item_moved': RoadmapItemMove,
  'workflow_run.started': WorkflowRunContent,
  'workflow_run.succeeded': WorkflowRunContent,
  'workflow_run.failed': WorkflowRunContent,
  'installation.scope_changed': ScopeChangeContent,
} as const;

const OWN_FIELDS = new Map<string, Record<string, TSchema>>([
  ...resourceEvents.map(({ type, resource }) => [type, objectEventFields(resource, type)] as const),
  ['installation.scope_changed', ScopeChangeContent.properties],
]);
const FIELDS: ReadonlyMap<string, Record<string, TSchema>> = isOperatorContract
  ? OWN_FIELDS
  : new Map(Object.entries(CONTENT_BY_TYPE).map(([type, { properties }]) => [type, properties]));

/** Returns the schemas of the fields that a trigger of this type can set. */
export const settableFields = (type: EventType): Readonly<Record<string, TSchema>> => FIELDS.get(type) ?? {};

const lines = [...FIELDS].flatMap(([type, fields]) => {
  const names = Object.keys(fields);
  return names.length > 0 ? [`- \`${type}\`: ${names.join(', ')}`] : [];
});
const NAME = 'EventWords';
const description = `The content of the event. The world generates each field that is left out. The allowed fields depend on the type:\n\n${lines.join('\n')}`;

const CommunityContent = namedObject(NAME, description, {
  ...TicketContent.properties,
  ...PublicationContent.properties,
  ...RoadmapItemContent.properties,
  ...RoadmapItemMove.properties,
  ...WorkflowRunContent.properties,
  ...ScopeChangeContent.properties,
});
// Two resources can have a field of one name with different schemas, so the fields are checked by type.
const OwnContent = namedSchema(NAME, Type.Object({}, { description, additionalProperties: true }));

/** The type has the fields of the default contract, like the names in `installed.ts`. */
export const EventContent = (isOperatorContract ? OwnContent : CommunityContent) as typeof CommunityContent;
export type EventContent = Static<typeof EventContent>;

/** Returns the content. Throws `invalid_request` if events of this type do not have one of the fields, or its value. */
export function requireContent(type: EventType, words: EventContent): EventContent {
  const fields = settableFields(type);
  const others = Object.keys(words).filter((name) => !Object.hasOwn(fields, name));
  if (others.length > 0) throw unknownFieldsProblem(type, Object.keys(fields), others);
  const content = Object.entries(words).map(([name, value]) => [name, readValue(fields[name] ?? {}, value)] as const);
  const errors = content.flatMap(([name, value]) => schemaErrors(fields[name] ?? {}, value, pointerTo(name)));
  if (errors.length > 0) throw problem('invalid_request', { errors });
  return Object.fromEntries(content);
}

/** Returns the number or the boolean that a text writes, if the field requires one: commands and forms send texts. */
function readValue(schema: TSchema, value: unknown): unknown {
  if (typeof value !== 'string' || schemaErrors(schema, value).length === 0) return value;
  const read = value === 'true' || value === 'false' ? value === 'true' : value.trim() === '' ? value : Number(value);
  return schemaErrors(schema, read).length === 0 ? read : value;
}

const pointerTo = (name: string): string => `/set/${escapePointer(name)}`;

function unknownFieldsProblem(type: EventType, fit: readonly string[], others: readonly string[]): ProblemError {
  const detail =
    fit.length === 0
      ? `is not allowed for ${type}, whose content cannot be set`
      : `is not a field of ${type}; the fields are ${fit.join(', ')}`;
  return problem('invalid_request', { errors: others.map((name) => ({ pointer: pointerTo(name), detail })) });
}
