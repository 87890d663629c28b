import { allowAppManagement } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { integer, type Static, strictObject, Type } from '../../kit/http/schema.ts';
import { type InvalidPart, problem } from '../../kit/openapi/problems.ts';
import { EVENT_KINDS, EventTypeSchema } from '../../resources/events/index.ts';
import { type EndpointRow, endpointParams, pinnedVersions, receivedTypes } from './endpoint.ts';
import { listRecentEventRows } from './endpoint-store.ts';
import { findEndpointRow } from './store.ts';
import { examplePreview, type NewerVersion, SchemaVersionPreview, toPreviewedEvent } from './version-preview.ts';

const query = strictObject({
  type: Type.Optional(EventTypeSchema),
  schemaVersion: Type.Optional(
    integer('A version of `type` that is newer than the pinned version. The default is the newest version.', 2, 1000),
  ),
});

export const previewSchemaVersion = operation({
  id: 'previewSchemaVersion',
  route: 'GET /organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/preview',
  tag: 'Webhooks',
  summary: 'Preview a newer schema version',
  description:
    'Shows how a newer schema version would change the endpoint’s own recent events. Each event is shown in the pinned version and in the newer version, with the difference. Without `type`, the preview covers every type that has a newer version than the pinned one. It searches the last 1,000 deliveries. It leaves out events that were skipped, cancelled or held, that are older than the version, or that the app cannot read now. It changes nothing.',
  access: allowAppManagement('deliveries.read'),
  params: endpointParams,
  query,
  replies: ok('At most ten events, newest first.', SchemaVersionPreview, { aNewerTicket: examplePreview }),
  async run({ tenant }, { ids: { endpointId }, query }) {
    const endpoint = await findEndpointRow(tenant, endpointId);
    if (!endpoint) throw problem('not_found');
    const errors = validateQuery(endpoint, query);
    if (errors.length > 0) throw problem('invalid_request', { errors });
    const rows = await listRecentEventRows(tenant, endpointId, newerVersions(endpoint, query));
    return { status: 200, body: { data: rows.map(toPreviewedEvent) } };
  },
});

type Query = Static<typeof query>;

function validateQuery(endpoint: EndpointRow, { type, schemaVersion }: Query): InvalidPart[] {
  if (type === undefined) {
    return schemaVersion === undefined ? [] : [{ pointer: '/query/schemaVersion', detail: 'requires `type`' }];
  }
  const pinned = pinnedVersions(endpoint)[type];
  if (pinned === undefined) {
    return [{ pointer: '/query/type', detail: 'must be a type that the endpoint receives' }];
  }
  const newest = EVENT_KINDS[type].schemaVersion;
  if (schemaVersion === undefined || (schemaVersion > pinned && schemaVersion <= newest)) return [];
  const detail = `must be newer than ${pinned}, the pinned version of ${type}, and at most ${newest}`;
  return [{ pointer: '/query/schemaVersion', detail }];
}

const newerVersions = (endpoint: EndpointRow, { type: only, schemaVersion }: Query): NewerVersion[] => {
  const pins = pinnedVersions(endpoint);
  return receivedTypes(endpoint).flatMap((type) => {
    const [pinned, newer] = [pins[type] ?? 1, schemaVersion ?? EVENT_KINDS[type].schemaVersion];
    return (only === undefined || only === type) && newer > pinned ? [{ type, pinned, newer }] : [];
  });
};
