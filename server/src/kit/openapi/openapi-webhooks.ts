// Describes the events that the server sends, in the `webhooks` of the OpenAPI document.

import { type TSchema, Type } from '../http/schema.ts';
import type { OpenApiObject, SchemaReferrer } from './openapi-schemas.ts';

export interface WebhookHeader {
  schema: TSchema;
  /** True if every request has it. */
  isRequired: boolean;
}

export interface WebhookSpec {
  /** The event type, which is also the key in the document. */
  name: string;
  tag: string;
  summary: string;
  description: string;
  isDeprecated: boolean;
  headers: Readonly<Record<string, WebhookHeader>>;
  /** Examples of headers that are specific to this type. */
  example: Readonly<Record<string, string>>;
  /** The sent data in each schema version, newest first. */
  versions: readonly { version: number; schema: TSchema }[];
  examples: Readonly<Record<string, { summary: string; value: unknown; headers: Readonly<Record<string, string>> }>>;
  /** The responses of the receiver, by status. */
  replies: Readonly<Record<string, string>>;
}

export function describeWebhook(webhook: WebhookSpec, refer: SchemaReferrer): OpenApiObject {
  const schemas = webhook.versions.map(({ schema }) => refer(schema, 'response'));
  return {
    operationId: `on${pascal(webhook.name)}`,
    tags: [webhook.tag],
    summary: webhook.summary,
    description: webhook.description,
    ...(webhook.isDeprecated && { deprecated: true }),
    'x-event-versions': webhook.versions.map(({ version }) => version),
    security: [],
    parameters: Object.entries(webhook.headers).map(([name, { schema, isRequired }]) => {
      const { description, examples, ...rest } = refer(schema, 'response');
      const example = webhook.example[name] ?? (Array.isArray(examples) ? examples[0] : undefined);
      return { name, in: 'header', required: isRequired, description, schema: rest, example };
    }),
    requestBody: {
      required: true,
      description: 'The event. Verify the signature over these bytes as they arrive, before they are parsed.',
      content: {
        'application/json': {
          schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
          examples: Object.fromEntries(
            Object.entries(webhook.examples).map(([name, { summary, value, headers }]) => [
              name,
              { summary, value, 'x-headers': headers },
            ]),
          ),
        },
      },
    },
    responses: Object.fromEntries(
      Object.entries(webhook.replies).map(([status, description]) => [status, { description }]),
    ),
  };
}

/** Converts `thing.created` to `ThingCreated`. */
export function pascal(type: string): string {
  return type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns a schema for exactly this number, in a form that generators support. */
export const exactly = (value: number, description: string) =>
  Type.Unsafe<number>({ type: 'integer', const: value, minimum: value, maximum: value, description });
