import { managesApp } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { closed, type Static, Type } from '../../kit/http/schema.ts';
import { type InvalidPart, problem } from '../../kit/openapi/problems.ts';
import { EVENT_KINDS, EventTypeSchema } from '../../resources/events/index.ts';
import { type EndpointRow, endpointParams, pinnedVersions } from './endpoint.ts';
import { listRecentEventRows } from './endpoint-store.ts';
import { findEndpointRow } from './store.ts';
import { examplePreview, type Newer, SchemaVersionPreview, toPreviewedEvent } from './version-preview.ts';

const query = closed({
  type: Type.Optional(EventTypeSchema),
  schemaVersion: Type.Optional(
    Type.Integer({
      minimum: 2,
      maximum: 1000,
      description: 'A version of `type` that is newer than the one that it is pinned to. The newest without it.',
    }),
  ),
});

export const previewSchemaVersion = operation({
  id: 'previewSchemaVersion',
  method: 'GET',
  path: '/organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/preview',
  tag: 'Webhooks',
  summary: 'Preview a newer schema version',
  description:
    'What a newer schema version would change on the endpoint’s own recent events: each as it is delivered, as it would be, and the difference. Of one type, or of every one that has a newer version than the endpoint is pinned to. It looks through the last 1,000 deliveries. It shows no event that was skipped, cancelled or held, that is older than the version, or that the app may not read now. Nothing is changed by it.',
  access: managesApp('deliveries.read'),
  params: endpointParams,
  query,
  replies: {
    200: {
      description: 'At most ten events, the newest first.',
      schema: SchemaVersionPreview,
      examples: { aNewerTicket: examplePreview },
    },
  },
  async run({ tenant }, { ids: { endpointId }, query }) {
    const endpoint = await findEndpointRow(tenant, endpointId);
    if (!endpoint) throw problem('not_found');
    const errors = refuseQuery(endpoint, query);
    if (errors.length > 0) throw problem('invalid_request', { errors });
    const rows = await listRecentEventRows(tenant, endpointId, newerVersions(endpoint, query));
    return { status: 200, body: { data: rows.map(toPreviewedEvent) } };
  },
});

type Query = Static<typeof query>;

function refuseQuery(endpoint: EndpointRow, { type, schemaVersion }: Query): InvalidPart[] {
  if (type === undefined) {
    return schemaVersion === undefined ? [] : [{ pointer: '/query/schemaVersion', detail: 'is that of no type' }];
  }
  const pinned = pinnedVersions(endpoint)[type];
  if (pinned === undefined) {
    return [{ pointer: '/query/type', detail: 'is not among the types that the endpoint receives' }];
  }
  const newest = EVENT_KINDS[type].schemaVersion;
  if (schemaVersion === undefined || (schemaVersion > pinned && schemaVersion <= newest)) return [];
  const detail = `must be newer than ${pinned}, to which ${type} is pinned, and at most ${newest}`;
  return [{ pointer: '/query/schemaVersion', detail }];
}

const newerVersions = (endpoint: EndpointRow, { type: only, schemaVersion }: Query): Newer[] => {
  const pins = pinnedVersions(endpoint);
  return endpoint.event_types.flatMap((type) => {
    const [pinned, newer] = [pins[type] ?? 1, schemaVersion ?? EVENT_KINDS[type].schemaVersion];
    return (only === undefined || only === type) && newer > pinned ? [{ type, pinned, newer }] : [];
  });
};
