import { createHash } from 'node:crypto';
import { AppId, runAsTenant, type Tenant, type WorkPort } from '../../access/authority/index.ts';
import { resourceEvents } from '../../access/contracts/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import type { Secret } from '../../kit/crypto/secret.ts';
import type { Database } from '../../kit/db/db.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import {
  dateTime,
  idSchema,
  oneOf,
  schemaErrors,
  strictObject,
  type TSchema,
  Type,
  text,
} from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import {
  EVENT_KINDS,
  EVENT_TYPES,
  type EventType,
  emitEvent,
  SUBJECT_PREFIXES,
  TYPES_WITHOUT_RESOURCE,
} from '../../resources/events/index.ts';
import { ServerId } from '../../resources/servers/index.ts';
import { findInstallationRow, toInstallation } from '../../tenancy/installations/index.ts';
import { withIngestKey } from './ingest-key.ts';
import { listInstalledApps, nextSequence, recordIngestedEvent } from './store.ts';

/** The schema of an event's data in the newest version, and the conversion to the older versions. */
interface EventSchemas {
  schemaOf(type: EventType): TSchema;
  olderOf(type: EventType, data: object): readonly object[];
}

export interface IngestOptions extends EventSchemas {
  key: Secret | undefined;
  /** Reads the rows of all apps, to find the apps that an event is for. */
  worker: Database | undefined;
}

const INGESTED_EVENT_TYPES = EVENT_TYPES.filter((type) => !TYPES_WITHOUT_RESOURCE.includes(type));
/** Returns true for events of objects that an app creates. Only that app receives them. */
const isAppOwned = (type: EventType): boolean =>
  resourceEvents.some((one) => one.type === type && one.resource.origin === 'made');

const EventReport = strictObject({
  id: text('Your identifier of the event. A repeated event with the same identifier changes nothing.', {
    minLength: 1,
    maxLength: 200,
  }),
  type: Type.Unsafe<EventType>(oneOf(INGESTED_EVENT_TYPES, 'The type of the event.')),
  serverId: ServerId,
  appId: Type.Optional({
    ...AppId,
    description: 'The only app that receives the event: required for tickets and runs, because an app created them.',
  }),
  occurredAt: Type.Optional(dateTime('When the event happened; defaults to the current time.')),
  requestId: Type.Optional(
    idSchema('req', 'The request that caused the event, as in its identity token and its Request-Id header.'),
  ),
  data: Type.Object({}, { additionalProperties: true, description: 'The resource, in the newest schema version.' }),
});

export const reportEvent = ({ key, worker, schemaOf, olderOf }: IngestOptions) =>
  operation({
    id: 'reportEvent',
    route: 'POST /ingest/events',
    tag: 'Ingest',
    summary: 'Report an event',
    description: 'Creates an event for each app that the server has authorised, and its deliveries.',
    access: withIngestKey(key),
    body: EventReport,
    replies: ok(
      'The number of apps for which the event was created, and of those for which it existed already.',
      strictObject({
        written: Type.Integer({ minimum: 0, description: 'Apps for which the event was created.' }),
        known: Type.Integer({ minimum: 0, description: 'Apps for which the event existed already.' }),
      }),
    ),
    async run({ plane }, { body }) {
      const serverId = fromId('srv', body.serverId) ?? '';
      const appId = body.appId === undefined ? undefined : fromId('app', body.appId);
      if (appId === undefined && isAppOwned(body.type)) throwInvalidInput('/appId', 'is required');
      const subject = subjectOf(body);
      const apps = worker ? await listInstalledApps(worker, { serverId, type: body.type }, appId) : [];
      const sourceHash = createHash('sha256').update(body.id).digest();
      const areNew = [];
      for (const one of apps) {
        const event = { ...body, serverId, subject, sourceHash };
        areNew.push(await ingestForApp(plane, one, event, { schemaOf, olderOf }));
      }
      // Data that does not fit is refused even if no app receives the event.
      if (apps.length === 0 && body.type !== 'server.updated') requireValidData(schemaOf(body.type), body.data);
      plane.deliveries.wake();
      const written = areNew.filter(Boolean).length;
      return { status: 200, body: { written, known: areNew.length - written } };
    },
  });

function throwInvalidInput(pointer: string, detail: string): never {
  throw problem('invalid_request', { errors: [{ pointer, detail }] });
}

function requireValidData(schema: TSchema, data: object): void {
  const errors = schemaErrors(schema, data, '/data');
  if (errors.length > 0) throw problem('invalid_request', { errors });
}

function subjectOf({ type, serverId, data }: { type: EventType; serverId: string; data: object }) {
  const id = String(Reflect.get(data, 'id'));
  const uuid = fromId(SUBJECT_PREFIXES[EVENT_KINDS[type].subject], id);
  if (uuid === undefined)
    return throwInvalidInput('/data/id', `is not the identifier of a ${EVENT_KINDS[type].subject}`);
  const of: unknown = type === 'server.updated' ? id : Reflect.get(data, 'serverId');
  if (of !== serverId) return throwInvalidInput('/data', 'does not belong to that server');
  return { uuid, id };
}

/** Adds the installation, which only Slipway knows. */
async function withInstallation(tenant: Tenant, serverId: string, data: object): Promise<object> {
  const row = await findInstallationRow(tenant, serverId);
  return { ...data, installation: row ? toInstallation(row).installation : null };
}

interface IngestedEvent {
  type: EventType;
  serverId: string;
  subject: { uuid: string; id: string };
  sourceHash: Buffer;
  occurredAt?: string;
  requestId?: string;
  data: object;
}

/**
 * Writes the event for one app, in one transaction, as the sandbox does. Returns true if the event is new to the app.
 */
function ingestForApp(
  plane: WorkPort,
  appId: string,
  ingested: IngestedEvent,
  { schemaOf, olderOf }: EventSchemas,
): Promise<boolean> {
  const { type, serverId, subject, occurredAt, requestId = null } = ingested;
  return runAsTenant(plane.db.api, appId, async (tenant) => {
    const data = type === 'server.updated' ? await withInstallation(tenant, serverId, ingested.data) : ingested.data;
    requireValidData(schemaOf(type), data);
    if (!(await recordIngestedEvent(tenant, ingested.sourceHash))) return false;
    const sequence = await nextSequence(tenant, subject.uuid);
    const older = olderOf(type, data);
    const at = occurredAt === undefined ? {} : { occurredAt: new Date(occurredAt).toISOString() };
    await emitEvent(tenant, plane, { type, serverId, subject, sequence, requestId, data, older, ...at });
    return true;
  });
}
