// The kinds of objects in the sandbox data: labels, and the events that create or change them.
import type { EventType, World, WorldObject } from '../../kit/api.ts';
import { OWN_CONTRACT, type OwnField, type OwnResource, toLabel } from '../../kit/own-contract.ts';

export type ObjectKind = WorldObject['kind'];

interface KindLabels {
  plural: string;
  one: string;
  count: keyof World['counts'];
  /** The event that creates or publishes such an object, and the label of the button. */
  created?: { type: EventType; label: string };
  /** Events about such an object that a member can trigger, in display order. */
  changes: readonly EventType[];
}

function ownLabels({ kind, plural, noun, events, creations: [creation] }: OwnResource): KindLabels {
  // The objects below an object are created on it, so their creations are its triggers.
  const below = OWN_CONTRACT?.resources.filter(({ parent }) => parent === kind) ?? [];
  return {
    plural: toLabel(plural),
    one: noun,
    count: plural as keyof World['counts'], // see own-contract.ts
    ...(creation !== undefined && { created: { type: creation, label: `Create: ${noun}` } }),
    changes: [...events.filter((type) => type !== creation), ...below.flatMap(({ creations }) => creations)],
  };
}

const OWN_KINDS =
  OWN_CONTRACT && Object.fromEntries(OWN_CONTRACT.resources.map((resource) => [resource.kind, ownLabels(resource)]));

const COMMUNITY_KINDS: Record<ObjectKind, KindLabels> = {
  server: {
    plural: 'Servers',
    one: 'server',
    count: 'servers',
    changes: [
      'ticket.created',
      'roadmap.item_created',
      'server.updated',
      'ping',
      'installation.paused',
      'installation.resumed',
      'installation.scope_changed',
    ],
  },
  publication: {
    plural: 'Publications',
    one: 'publication',
    count: 'publications',
    created: { type: 'publication.published', label: 'Publish a draft' },
    changes: ['publication.published', 'publication.updated', 'publication.archived'],
  },
  roadmap_item: {
    plural: 'Roadmap items',
    one: 'roadmap item',
    count: 'roadmapItems',
    created: { type: 'roadmap.item_created', label: 'Create a roadmap item' },
    changes: ['roadmap.item_moved'],
  },
  ticket: {
    plural: 'Tickets',
    one: 'ticket',
    count: 'tickets',
    created: { type: 'ticket.created', label: 'Create a ticket' },
    changes: ['ticket.updated', 'ticket.closed'],
  },
  workflow: {
    plural: 'Workflows',
    one: 'workflow',
    count: 'workflows',
    changes: ['workflow_run.started', 'workflow_run.succeeded', 'workflow_run.failed'],
  },
  workflow_run: {
    plural: 'Workflow runs',
    one: 'workflow run',
    count: 'workflowRuns',
    created: { type: 'workflow_run.started', label: 'Start a run' },
    changes: [],
  },
};
/** With an own contract, the labels of its kinds, and of none of the default contract. */
export const KINDS = (OWN_KINDS ?? COMMUNITY_KINDS) as Record<ObjectKind, KindLabels>; // see own-contract.ts
export const OBJECT_KINDS = Object.keys(KINDS) as ObjectKind[]; // Object.keys loses the key type
/** The kind that the browser of the data shows initially. */
export const FIRST_KIND: ObjectKind = OBJECT_KINDS[0] ?? 'server';

/** The effect of each trigger on the object, as the label of its button. */
export const TRIGGER_LABELS: Partial<Record<EventType, string>> = OWN_CONTRACT?.events ?? {
  'ticket.created': 'Create a ticket',
  'ticket.updated': 'Answer or resolve',
  'ticket.closed': 'Close the ticket',
  'publication.published': 'Publish',
  'publication.updated': 'Edit',
  'publication.archived': 'Archive',
  'roadmap.item_created': 'Create a roadmap item',
  'roadmap.item_moved': 'Move',
  'workflow_run.started': 'Start a run',
  'workflow_run.succeeded': 'Let a run succeed',
  'workflow_run.failed': 'Let a run fail',
  'server.updated': 'Change the number of members',
  'installation.paused': 'Pause the installation',
  'installation.resumed': 'Resume the installation',
  'installation.scope_changed': 'Pause or resume a scope',
  ping: 'Send a ping',
};

export interface TriggerField {
  name: string;
  label: string;
  most?: number | undefined;
  isLong?: boolean;
  /** The permitted values. */
  choices?: readonly string[] | undefined;
}

const TITLE = { name: 'title', label: 'Title', most: 200 } as const;
const PUBLICATION = [TITLE, { name: 'bodyMarkdown', label: 'Text', most: 20_000, isLong: true }] as const;

const LONG_TEXT = 500;
/** The maximum length of a text whose schema has none. */
const MAX_TEXT = 10_000;
const ownField = ({ name, most, choices }: OwnField): TriggerField => ({
  ...{ name, label: toLabel(name), most: most ?? MAX_TEXT, choices },
  isLong: most !== undefined && most > LONG_TEXT,
});
const OWN_TRIGGER_FIELDS =
  OWN_CONTRACT &&
  Object.fromEntries(Object.entries(OWN_CONTRACT.eventFields).map(([type, fields]) => [type, fields.map(ownField)]));

/** The fields that a member can set. */
export const TRIGGER_FIELDS: Partial<Record<EventType, readonly TriggerField[]>> = OWN_TRIGGER_FIELDS ?? {
  'ticket.created': [
    { name: 'subject', label: 'Subject', most: 200 },
    { name: 'body', label: 'Text', most: 10_000, isLong: true },
  ],
  'publication.published': PUBLICATION,
  'publication.updated': PUBLICATION,
  'roadmap.item_created': [TITLE, { name: 'description', label: 'Description', most: 5_000, isLong: true }],
  'roadmap.item_moved': [
    { name: 'status', label: 'Status', choices: ['idea', 'planned', 'in_progress', 'shipped', 'declined'] },
  ],
};

/** The events about publications change texts and generate none. */
const COMMUNITY_EDITS: readonly string[] = ['publication.published', 'publication.updated', 'publication.archived'];
const OWN_CREATIONS = OWN_CONTRACT?.resources.flatMap(({ creations }) => creations);

/** Returns true if the object of the event keeps the values of the fields that a form leaves empty. */
export const keepsValues = (type: EventType): boolean =>
  OWN_CREATIONS ? !OWN_CREATIONS.includes(type) : COMMUNITY_EDITS.includes(type);

const KIND_OF_PREFIX: Record<string, ObjectKind> = OWN_CONTRACT
  ? (Object.fromEntries(OWN_CONTRACT.resources.map(({ idPrefix, kind }) => [idPrefix, kind])) as Record<
      string,
      ObjectKind
    >) // see own-contract.ts
  : {
      srv: 'server',
      pub: 'publication',
      rmi: 'roadmap_item',
      tkt: 'ticket',
      wfl: 'workflow',
      wfr: 'workflow_run',
    };

/** Returns the kind of an identifier; undefined for an identifier of another kind. */
export const kindOfId = (id: string): ObjectKind | undefined => KIND_OF_PREFIX[id.slice(0, 3)];
