// The fields that a member may set when they trigger an event: the texts of its object.

import { closed, named, type Static, Type } from '../../kit/http/schema.ts';
import { type ProblemError, problem } from '../../kit/openapi/problems.ts';
import type { EventType } from '../../resources/events/index.ts';
import { PublicationWords } from '../../resources/publications/index.ts';
import { RoadmapItemMove, RoadmapItemWords } from '../../resources/roadmap/index.ts';
import { TicketWords } from '../../resources/tickets/index.ts';
import { RunInput } from '../../resources/workflows/index.ts';
import { ScopeWords } from '../../tenancy/installations/index.ts';

const RunWords = closed({ input: Type.Optional(RunInput) });

// Events of other types have no fields to set.
const WORDS = {
  'ticket.created': TicketWords,
  'publication.published': PublicationWords,
  'publication.updated': PublicationWords,
  'roadmap.item_created': RoadmapItemWords,
  'roadmap.item_moved': RoadmapItemMove,
  'workflow_run.started': RunWords,
  'workflow_run.succeeded': RunWords,
  'workflow_run.failed': RunWords,
  'installation.scope_changed': ScopeWords,
} as const;

const lines = Object.entries(WORDS).map(
  ([type, { properties }]) => `- \`${type}\`: ${Object.keys(properties).join(', ')}`,
);

export const EventWords = named(
  'EventWords',
  closed(
    {
      ...TicketWords.properties,
      ...PublicationWords.properties,
      ...RoadmapItemWords.properties,
      ...RoadmapItemMove.properties,
      ...RunWords.properties,
      ...ScopeWords.properties,
    },
    {
      description: `The content of the event. The world generates each field that is left out. The allowed fields depend on the type:\n\n${lines.join('\n')}`,
    },
  ),
);
export type EventWords = Static<typeof EventWords>;

const wordsOf = (type: EventType): readonly string[] =>
  Object.hasOwn(WORDS, type) ? Object.keys(WORDS[type as keyof typeof WORDS].properties) : []; // Object.hasOwn has checked the key

/** Throws `invalid_request` if events of this type do not have one of the fields. */
export function refuseOtherWords(type: EventType, words: EventWords): void {
  const fit = wordsOf(type);
  const others = Object.keys(words).filter((name) => !fit.includes(name));
  if (others.length > 0) throw notSaid(type, fit, others);
}

function notSaid(type: EventType, fit: readonly string[], others: readonly string[]): ProblemError {
  const detail =
    fit.length === 0
      ? `is not allowed for ${type}, whose content cannot be set`
      : `is not a field of ${type}; the fields are ${fit.join(', ')}`;
  return problem('invalid_request', { errors: others.map((name) => ({ pointer: `/set/${name}`, detail })) });
}
