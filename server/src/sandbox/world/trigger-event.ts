import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { isOperatorContract, resources } from '../../access/contracts/index.ts';
import { ID_BODY_PATTERN } from '../../kit/crypto/ids.ts';
import { created, operation } from '../../kit/http/operation.ts';
import { namedObject, Type, text } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { EVENT_TYPES, Event, EventTypeSchema, exampleEvent } from '../../resources/events/index.ts';
import { causeEvent, targetOf } from './cause-event.ts';
import { EventContent } from './event-content.ts';
import { explainNoEvent } from './explain-no-event.ts';
import { resetInProgress } from './rebuild-world.ts';
import { isBeingReset, lockWorld } from './store.ts';

const PREFIXES = [...new Set(EVENT_TYPES.flatMap((type) => targetOf(type)?.idPrefix ?? []))];
const OBJECT_ID = `^(${PREFIXES.join('|')})_${ID_BODY_PATTERN}$`;

const ID_BODY = '01j9z3v8k6e5t8m2n4p6q8r0s4';
const COMMUNITY_TARGETS = 'a publication, a roadmap item, a ticket, a workflow (for events of its runs) or a server';
const OWN_TARGETS = `${resources.map(({ idPrefix, noun }) => `\`${idPrefix}_\` (${noun})`).join(', ')}; for a creation, its parent`;

const EventTrigger = namedObject('EventTrigger', 'An event to trigger, and its content.', {
  type: EventTypeSchema,
  objectId: Type.Optional(
    text(
      `The object that the event is about: ${isOperatorContract ? OWN_TARGETS : COMMUNITY_TARGETS}. Without it, the newest suitable object.`,
      {
        ...{ minLength: 30, maxLength: 30, pattern: OBJECT_ID },
        examples: [`${isOperatorContract ? (PREFIXES[0] ?? 'srv') : 'tkt'}_${ID_BODY}`],
      },
    ),
  ),
  set: Type.Optional(EventContent),
});

export const triggerEvent = operation({
  id: 'triggerEvent',
  route: 'POST /organisations/{organisationId}/apps/{appId}/world/events',
  tag: 'World',
  summary: 'Trigger an event',
  description:
    'Makes the change that the event type reports, and so creates the event: for example, archives a publication, answers a ticket, lets a run fail or pauses an installation. Returns the event as it is delivered.',
  access: allowAppManagement('world.change'),
  params: appParams,
  body: EventTrigger,
  examples: {
    aPing: { type: 'ping' },
    aTicket: { type: 'ticket.created', set: { subject: 'Cannot join' } },
    aMove: { type: 'roadmap.item_moved', set: { status: 'shipped' } },
  },
  replies: created('The event.', Event, { aPing: exampleEvent }),
  problems: ['conflict'],
  async run(context, { params, body }) {
    const { tenant, audit, wakeWorkers } = context;
    if (await isBeingReset(tenant)) throw resetInProgress();
    const world = await lockWorld(tenant);
    if (!world) throw problem('not_found');
    const json = await causeEvent(context, world.preset, body.type, body.objectId, body.set);
    if (json === undefined)
      throw problem('conflict', { detail: await explainNoEvent(tenant, body.type, body.objectId) });
    audit('event.trigger', params.appId, { type: body.type });
    wakeWorkers();
    return { status: 201, json };
  },
});
