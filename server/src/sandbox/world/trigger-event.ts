import { appParams, managesApp } from '../../access/authority/index.ts';
import { ID_BODY_PATTERN } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { closed, named, Type, text } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { Event, EventTypeSchema, exampleEvent } from '../../resources/events/index.ts';
import { bringAbout, HAPPENS_ON } from './bring-about.ts';
import { EventWords } from './event-words.ts';
import { beingReset } from './renew-world.ts';
import { isBeingReset, lockWorld } from './store.ts';
import { whyNot } from './why-not.ts';

const OBJECT_ID = `^(${[...new Set(Object.values(HAPPENS_ON))].join('|')})_${ID_BODY_PATTERN}$`;

const EventTrigger = named(
  'EventTrigger',
  closed(
    {
      type: EventTypeSchema,
      objectId: Type.Optional(
        text(
          'The object that the event is about: a publication, a roadmap item, a ticket, a workflow (for events of its runs) or a server. Without it, the newest suitable object.',
          { minLength: 30, maxLength: 30, pattern: OBJECT_ID, examples: ['tkt_01j9z3v8k6e5t8m2n4p6q8r0s4'] },
        ),
      ),
      set: Type.Optional(EventWords),
    },
    { description: 'An event to trigger, and its content.' },
  ),
);

export const triggerEvent = operation({
  id: 'triggerEvent',
  method: 'POST',
  path: '/organisations/{organisationId}/apps/{appId}/world/events',
  tag: 'World',
  summary: 'Trigger an event',
  description:
    'Makes the change that the event type reports, and so creates the event: for example, archives a publication, answers a ticket, lets a run fail or pauses an installation. Returns the event as it is delivered.',
  access: managesApp('world.change'),
  params: appParams,
  body: EventTrigger,
  examples: {
    aPing: { type: 'ping' },
    aTicket: { type: 'ticket.created', set: { subject: 'Cannot join' } },
    aMove: { type: 'roadmap.item_moved', set: { status: 'shipped' } },
  },
  replies: { 201: { description: 'The event.', schema: Event, examples: { aPing: exampleEvent } } },
  problems: ['conflict'],
  async run(context, { params, body }) {
    const { tenant, audit, wakeWorkers } = context;
    if (await isBeingReset(tenant)) throw beingReset();
    const world = await lockWorld(tenant);
    if (!world) throw problem('not_found');
    const json = await bringAbout(context, world.preset, body.type, body.objectId, body.set);
    if (json === undefined) throw problem('conflict', { detail: await whyNot(tenant, body.type, body.objectId) });
    audit('event.trigger', params.appId, { type: body.type });
    wakeWorkers();
    return { status: 201, json };
  },
});
