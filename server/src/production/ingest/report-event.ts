import { createHash } from 'node:crypto';
import { AppId, runAsTenant, type Tenant, type WorkPort } from '../../access/authority/index.ts';
import {
  type AnyResource,
  grantor,
  grantorOf,
  isOperatorContract,
  linkField,
  resourceEvents,
} from '../../access/contracts/index.ts';
import { fromId, toUuid } from '../../kit/crypto/ids.ts';
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
import { isUsableKey, keyOfId } from '../../resources/objects/index.ts';
import { ServerId } from '../../resources/servers/index.ts';
import { findInstallationRow, toInstallation } from '../../tenancy/installations/index.ts';
import { ACCOUNT_SERVER, uuidOfObject } from '../identifiers/index.ts';
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

const MADE = isOperatorContract ? 'resources with the origin `made`' : 'tickets and runs';

/** The parts of a report that do not depend on how it names the server. */
const reportFields = {
  id: text('Your identifier of the event. A repeated event with the same identifier changes nothing.', {
    minLength: 1,
    maxLength: 200,
  }),
  type: Type.Unsafe<EventType>(oneOf(INGESTED_EVENT_TYPES, 'The type of the event.')),
  appId: Type.Optional({
    ...AppId,
    description: `The only app that receives the event: required for ${MADE}, because an app created them.`,
  }),
  occurredAt: Type.Optional(dateTime('When the event happened; defaults to the current time.')),
  requestId: Type.Optional(
    idSchema('req', 'The request that caused the event, as in its identity token and its Request-Id header.'),
  ),
  data: Type.Object({}, { additionalProperties: true, description: 'The resource, in the newest schema version.' }),
};

const shared = (key: Secret | undefined) => ({
  id: 'reportEvent',
  route: 'POST /ingest/events' as const,
  tag: 'Ingest',
  summary: 'Report an event',
  description: 'Creates an event for each app that the server has authorised, and its deliveries.',
  access: withIngestKey(key),
  replies: ok(
    'The number of apps for which the event was created, and of those for which it existed already.',
    strictObject({
      written: Type.Integer({ minimum: 0, description: 'Apps for which the event was created.' }),
      known: Type.Integer({ minimum: 0, description: 'Apps for which the event existed already.' }),
    }),
  ),
});

export const reportEvent = (options: IngestOptions) =>
  operation({
    ...shared(options.key),
    body: strictObject({ ...reportFields, serverId: ServerId }),
    run: ({ plane }, { body }) =>
      storeEvent(plane, { ...body, serverId: toUuid('srv', body.serverId), subject: subjectOf(body) }, options),
  });

const grantorFields = grantor
  ? {
      grantorId: Type.Optional({
        ...grantor.id,
        description: `The ${grantor.noun} whose grants permit access to the object. Without it, the account of the app.`,
      }),
    }
  : {};

/** Reports an event under an operator's contract. The objects have the identifiers of the upstream API. */
export const reportOwnEvent = (options: IngestOptions) =>
  operation({
    ...shared(options.key),
    body: strictObject({ ...reportFields, ...grantorFields }),
    run: ({ plane }, { body }) =>
      storeEvent(plane, { ...body, ...targetOf(body.type, body.data, Reflect.get(body, 'grantorId')) }, options),
  });

interface ReportedEvent extends Omit<IngestedEvent, 'sourceHash'> {
  /** The identifier of the event. */
  id: string;
  appId?: string | undefined;
}

async function storeEvent(
  plane: WorkPort,
  { id, appId: onlyApp, ...event }: ReportedEvent,
  { worker, schemaOf, olderOf }: IngestOptions,
) {
  const { type, serverId, data } = event;
  const appId = onlyApp === undefined ? undefined : toUuid('app', onlyApp);
  if (appId === undefined && isAppOwned(type)) throwInvalidInput('/appId', 'is required');
  const apps = worker ? await listInstalledApps(worker, { serverId, type }, appId) : [];
  const sourceHash = createHash('sha256').update(id).digest();
  const areNew = [];
  for (const one of apps) areNew.push(await ingestForApp(plane, one, { ...event, sourceHash }, { schemaOf, olderOf }));
  // Data that does not fit is refused even if no app receives the event.
  if (apps.length === 0 && type !== 'server.updated') requireValidData(schemaOf(type), data);
  plane.deliveries.wake();
  const written = areNew.filter(Boolean).length;
  return { status: 200, body: { written, known: areNew.length - written } };
}

/** Returns the server and the subject of an event of an operator's contract. */
function targetOf(type: EventType, data: object, grantorId: unknown): Pick<IngestedEvent, 'serverId' | 'subject'> {
  const resource = resourceEvents.find((one) => one.type === type)?.resource;
  if (!resource) return throwInvalidInput('/type', 'is not the type of an event about an object');
  const id = idOf(resource, resource, data);
  if (id === undefined) return throwInvalidInput('/data', `must have the identifier of the ${resource.noun}`);
  const subject = { uuid: uuidOfObject(resource, id), id };
  const granting = grantorOf(resource);
  if (!granting) {
    if (grantorId !== undefined)
      throwInvalidInput('/grantorId', `must not be given, because the account grants each ${resource.noun}`);
    return { serverId: ACCOUNT_SERVER, subject };
  }
  const key = typeof grantorId === 'string' || typeof grantorId === 'number' ? keyOfId(granting, grantorId) : '';
  if (!isUsableKey(granting, key)) throwInvalidInput('/grantorId', `must be the identifier of the ${granting.noun}`);
  const named = linkField(resource, granting) === undefined ? key : idOf(resource, granting, data);
  if (named !== key) throwInvalidInput('/data', `does not belong to that ${granting.noun}`);
  return { serverId: uuidOfObject(granting, key), subject };
}

/** Returns the key of an object, or of one above it, from the data of an event. */
function idOf(resource: AnyResource, above: AnyResource, data: object): string | undefined {
  const field = linkField(resource, above);
  const id: unknown = field !== undefined && Object.hasOwn(data, field) ? Reflect.get(data, field) : undefined;
  const key = typeof id === 'string' || typeof id === 'number' ? keyOfId(above, id) : '';
  return isUsableKey(above, key) ? key : undefined;
}

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
