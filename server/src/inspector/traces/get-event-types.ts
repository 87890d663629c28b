import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { namedObject, Type } from '../../kit/http/schema.ts';
import { EventTypeSchema } from '../../resources/events/index.ts';
import { findEventTypes, MAX_TYPES, NEWEST_DELIVERIES } from './event-types-store.ts';

const AppEventTypes = namedObject('AppEventTypes', 'The types of the events of an app, for a filter.', {
  types: Type.Array(EventTypeSchema, { maxItems: MAX_TYPES, description: 'The types of stored events.' }),
  testTypes: Type.Array(EventTypeSchema, {
    maxItems: MAX_TYPES,
    description: `The types of test events among the newest ${NEWEST_DELIVERIES.toLocaleString('en')} deliveries.`,
  }),
});

export const getEventTypes = operation({
  id: 'getEventTypes',
  route: 'GET /organisations/{organisationId}/apps/{appId}/event-types',
  tag: 'Requests',
  summary: 'Get the types of events',
  description:
    'Returns the types of the events that Slipway stores for the app: the choices of a filter of events and deliveries. A type whose events are past their retention is left out.',
  access: allowAppManagement('requests.read'),
  params: appParams,
  replies: ok('The types.', AppEventTypes, {
    aTicket: { types: ['ticket.created', 'ticket.updated'], testTypes: ['ping'] },
  }),
  async run({ tenant }) {
    const { types, test_types } = await findEventTypes(tenant);
    return { status: 200, body: { types, testTypes: test_types } };
  },
});
