// All event types for the contract: the table of types, the data of each schema version, and a signed example of each.

import {
  type AnyResource,
  type DataVersion,
  isOperatorContract,
  olderData,
  resourceEvents,
} from '../access/contracts/index.ts';
import { secret } from '../kit/crypto/secret.ts';
import { sign } from '../kit/crypto/standard-webhooks.ts';
import type { Deprecation } from '../kit/http/deprecation.ts';
import { describedObject, namedSchema, oneOf, type TSchema, Type } from '../kit/http/schema.ts';
import { exactly, pascal, type WebhookSpec } from '../kit/openapi/openapi-webhooks.ts';
import { EVENT_DEPRECATIONS } from '../platform/deprecations/index.ts';
import {
  EVENT_KINDS,
  EVENT_SCOPE,
  EVENT_TYPES,
  Event,
  type EventType,
  exampleEvent,
} from '../resources/events/index.ts';
import { exampleServer, Server } from '../resources/servers/index.ts';
import { exampleInstallation, exampleScopeChange, ScopeChange } from '../tenancy/installations/index.ts';
import { DELIVERY_HEADERS, type DeliveryHeaders, exampleDelivery } from '../webhooks/webhooks/index.ts';

type EventDataVersion = Pick<DataVersion, 'schema' | 'example'>;

/** Returns a declared meaning with the full stop that it can lack. */
const toSentence = (meaning: string): string => (/[.!?]$/.test(meaning) ? meaning : `${meaning}.`);

const PLATFORM_DATA: Partial<Record<EventType, EventDataVersion>> = {
  'installation.scope_changed': { schema: ScopeChange, example: exampleScopeChange },
};

const NO_DATA: EventDataVersion = {
  schema: describedObject('Empty: the event has no resource.', {}),
  example: {},
};

const resourceOf = new Map<EventType, AnyResource>(resourceEvents.map(({ type, resource }) => [type, resource]));

function eventDataVersions(type: EventType): readonly EventDataVersion[] {
  const resource = resourceOf.get(type);
  // In the default contract, the platform adds the installation to the resource that grants scopes.
  if (resource?.grants && !isOperatorContract) return [{ schema: Server, example: exampleServer }];
  return resource?.data[type] ?? [PLATFORM_DATA[type] ?? NO_DATA];
}

/** Returns the schema of a type's newest version. */
export const newestDataSchema = (type: EventType): TSchema => (eventDataVersions(type).at(-1) ?? NO_DATA).schema;

/** Converts the newest data of a type to each older version, from version 1. The caller has validated the data. */
export const toOlderData = (type: EventType, data: object): readonly object[] =>
  olderData(resourceOf.get(type)?.data[type]?.slice(0, -1).reverse() ?? [], data);

/** Returns example data of a type in each of its versions, from version 1. */
export const exampleData = (type: EventType): readonly object[] =>
  eventDataVersions(type).map(({ example }) => example);

type Example = typeof exampleEvent;

/** Returns the schema and an example of the envelope for this type in this version. */
function envelope(
  type: EventType,
  version: number,
  { schema, example }: EventDataVersion,
  isDeprecated: boolean,
): { schema: TSchema; example: Example } {
  const { subject, meaning } = EVENT_KINDS[type];
  const { type: _type, schemaVersion: _version, subject: _subject, data: _data, ...rest } = Event.properties;
  const noId = subject === 'installation' ? exampleInstallation.installation?.id : exampleEvent.subject.id;
  const id = 'id' in example && typeof example.id === 'string' ? example.id : String(noId);
  const properties = {
    ...rest,
    type: oneOf([type], 'The type of the event.'),
    schemaVersion: exactly(version, 'The version of `data`.'),
    subject: describedObject('The resource that the event is about.', {
      type: oneOf([subject], 'The kind of resource.'),
      id: Event.properties.subject.properties.id,
    }),
    data: schema,
  };
  return {
    schema: namedSchema(
      `${pascal(type)}V${version}`,
      Type.Object(properties, {
        additionalProperties: false,
        description: `${toSentence(meaning)} In schema version ${version}.`,
        ...(isDeprecated && { deprecated: true }),
      }),
    ),
    example: { ...exampleEvent, type, schemaVersion: version, subject: { type: subject, id }, data: example },
  };
}

/** For examples only. The secret of a real endpoint is shown once, when the endpoint is created. */
export const EXAMPLE_SIGNING_SECRET = 'whsec_ZXhhbXBsZSBleGFtcGxlIGV4YW1wbGUgZXhhbXBsZSE=';
const EXAMPLE_TIMESTAMP = 1_793_614_530;

function headersOf(example: Example): DeliveryHeaders {
  const { id, environment, schemaVersion } = example;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(EXAMPLE_TIMESTAMP),
    'webhook-signature': sign([secret(EXAMPLE_SIGNING_SECRET)], id, EXAMPLE_TIMESTAMP, JSON.stringify(example)),
    'slipway-delivery-id': exampleDelivery.id,
    'slipway-attempt': '1',
    'slipway-trigger': exampleDelivery.trigger,
    'slipway-schema-version': String(schemaVersion),
    'slipway-environment': environment,
  };
}

/** Returns the webhooks of all event types, with the deprecated types and schema versions marked. */
export const webhooksOf = (deprecations: readonly Deprecation[]): WebhookSpec[] =>
  EVENT_TYPES.map((type) => {
    const isDeprecated = (version?: number): boolean =>
      deprecations.some(({ where }) => where.in === 'events' && where.type === type && where.schemaVersion === version);
    const versions = eventDataVersions(type).map((shown, index) => ({
      version: index + 1,
      ...envelope(type, index + 1, shown, isDeprecated(index + 1)),
    }));
    const newest = versions.at(-1);
    const { meaning } = EVENT_KINDS[type];
    return {
      name: type,
      tag: 'Webhooks',
      summary: meaning.replace(/\.$/, ''),
      description: `${toSentence(meaning)} Sent by POST to each endpoint that subscribes to the type and whose key has \`${EVENT_SCOPE}\`, in the schema version that the endpoint is pinned to. The signatures of the examples are computed with \`${EXAMPLE_SIGNING_SECRET}\` over the compact JSON.`,
      isDeprecated: isDeprecated(),
      headers: DELIVERY_HEADERS,
      example: newest ? headersOf(newest.example) : {},
      versions: versions.map(({ version, schema }) => ({ version, schema })).reverse(),
      examples: Object.fromEntries(
        versions.map(({ version, example }) => [
          `version${version}`,
          { summary: `In schema version ${version}`, value: example, headers: headersOf(example) },
        ]),
      ),
      replies: {
        '2XX': 'The delivery succeeded.',
        '410': 'The receiver wants no further events: the endpoint is disabled.',
        '4XX': 'The attempt failed: it is retried on the schedule.',
        '5XX': 'The attempt failed: it is retried on the schedule. `Retry-After` of a 503 is respected.',
      },
    };
  });

export const eventWebhooks = webhooksOf(EVENT_DEPRECATIONS);
