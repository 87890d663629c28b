// The fields that a member may set when they trigger an event: the texts of its object.

import { RunInput } from '../../access/contracts/index.ts';
import { namedObject, type Static, strictObject, Type } from '../../kit/http/schema.ts';
import { type ProblemError, problem } from '../../kit/openapi/problems.ts';
import type { EventType } from '../../resources/events/index.ts';
import { PublicationContent } from '../../resources/publications/index.ts';
import { RoadmapItemContent, RoadmapItemMove } from '../../resources/roadmap/index.ts';
import { TicketContent } from '../../resources/tickets/index.ts';
import { ScopeChangeContent } from '../../tenancy/installations/index.ts';

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

const lines = Object.entries(CONTENT_BY_TYPE).map(
  ([type, { properties }]) => `- \`${type}\`: ${Object.keys(properties).join(', ')}`,
);

export const EventContent = namedObject(
  'EventWords',
  `The content of the event. The world generates each field that is left out. The allowed fields depend on the type:\n\n${lines.join('\n')}`,
  {
    ...TicketContent.properties,
    ...PublicationContent.properties,
    ...RoadmapItemContent.properties,
    ...RoadmapItemMove.properties,
    ...WorkflowRunContent.properties,
    ...ScopeChangeContent.properties,
  },
);
export type EventContent = Static<typeof EventContent>;

const contentFieldsOf = (type: EventType): readonly string[] =>
  Object.hasOwn(CONTENT_BY_TYPE, type)
    ? Object.keys(CONTENT_BY_TYPE[type as keyof typeof CONTENT_BY_TYPE].properties)
    : []; // Object.hasOwn has checked the key

/** Throws `invalid_request` if events of this type do not have one of the fields. */
export function rejectUnknownFields(type: EventType, words: EventContent): void {
  const fit = contentFieldsOf(type);
  const others = Object.keys(words).filter((name) => !fit.includes(name));
  if (others.length > 0) throw unknownFieldsProblem(type, fit, others);
}

function unknownFieldsProblem(type: EventType, fit: readonly string[], others: readonly string[]): ProblemError {
  const detail =
    fit.length === 0
      ? `is not allowed for ${type}, whose content cannot be set`
      : `is not a field of ${type}; the fields are ${fit.join(', ')}`;
  return problem('invalid_request', { errors: others.map((name) => ({ pointer: `/set/${name}`, detail })) });
}
