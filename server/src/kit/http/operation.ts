// An operation: one declaration and one function. The declaration is the single source for routing, validation, types,
// the OpenAPI document, the SDK and the tests.

import type { Uuid } from '../crypto/ids.ts';
import type { ProblemBody, ProblemCode } from '../openapi/problems.ts';
import type { Span } from '../telemetry/trace.ts';
import type { Deprecation } from './deprecation.ts';
import type { HeaderName } from './response-headers.ts';
import type { IdSchema, Static, TSchema } from './schema.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Facts of a request from its arrival on, from which its record is made. A product adds its own by declaration merging.
 */
export interface Exchange {
  /** `req_...` */
  readonly id: string;
  /** The 16 bytes of the uuid in `id`. */
  readonly uuid: Buffer;
  readonly startedAtMs: number;
  /** Undefined without tracing. */
  span: Span | undefined;
  /** The requested operation; undefined if path or method do not exist. */
  operation: RequestSpec | undefined;
  /** The path in the form of operations, `/v1/things/{thingId}`. Unknown parts of a path are replaced by `*`. */
  route: string | undefined;
  /** The authenticated caller; set by the operation's access. */
  principal: unknown;
  authorityUs: number;
  /** Duration of the operation and its surroundings; undefined if it did not run. */
  operationUs: number | undefined;
  /** The uuid of the resource whose grants permit the request, if the request does not name that resource. */
  grantorId: string | undefined;
  /** Hash of its Idempotency-Key, once that was claimed. */
  idempotencyHash: Buffer | undefined;
  /** True if the response is the stored one of an earlier request with the same Idempotency-Key. */
  isStoredAnswer: boolean;
  /** The uuid of that earlier request, if known. */
  originalRequestId: string | undefined;
  problemCode: ProblemCode | undefined;
  /** The problem that the response carries. */
  problemBody: ProblemBody | undefined;
  /** Additional headers of the response, whatever its status. */
  headers: Readonly<Record<string, string>> | undefined;
}

/** The parts of an operation that describe its requests. */
export interface RequestSpec
  extends Pick<AnyOperation<unknown>, 'id' | 'path' | 'params' | 'query' | 'body' | 'bodyType'> {
  readonly replies?: Replies;
  readonly access: Pick<AnyOperation<unknown>['access'], 'security' | 'scope'>;
}

/** The parts of an HTTP request that an operation's access may read. */
export interface Incoming {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly ip: string;
  /** The request object, which identifies the request. */
  readonly raw: object;
  readonly exchange: Exchange;
}

export interface Reply {
  status: number;
  body?: unknown;
  /** The serialised body, instead of `body`. Bytes if it is sent repeatedly. */
  json?: string | Buffer;
  /** The body in pieces, instead of `body` or `json`. */
  stream?: AsyncIterable<string>;
  headers?: Record<string, string | string[]>;
  /** The uuid of the resource whose grants permit the request, if the path does not name it. Recorded, but not sent. */
  grantorId?: string | undefined;
  /** The type of the returned event, if the request does not name it. Counted if it is deprecated, but not sent. */
  eventType?: string | undefined;
}

export interface Inputs {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
  /** The uuids of the identifiers in the path and in the query, by the name of the parameter. */
  ids: Readonly<Record<string, string | undefined>>;
}

/**
 * The requirements under which an operation may run. `admit` authenticates the caller before anything else of the
 * request is read. `enter` creates the context, such as a transaction or a parent resource that was loaded inside the
 * caller's tenancy, and runs the function in it. A function can access only its context.
 */
export interface Access<Services, Admitted, Context> {
  /** The OpenAPI security requirement. */
  readonly security: 'key' | 'session' | 'assertion' | 'none';
  /** An alternative security scheme. */
  readonly alternativeSecurity?: 'token';
  readonly scope?: string;
  /** Scopes that a caller needs in addition to `scope`. */
  readonly furtherScopes?: readonly string[];
  /** The action that a role must allow, by its name in the table of roles. */
  readonly action?: string;
  /** Text for the documentation. */
  readonly summary: string;
  readonly problems: readonly ProblemCode[];
  /** Headers that a request may carry, by name. The access reads them itself. */
  readonly requestHeaders?: Readonly<Record<string, TSchema>>;
  /** The headers without which a request is refused. */
  readonly requiredHeaders?: readonly string[];
  /** Headers that every response may carry. */
  readonly headers?: readonly HeaderName[];
  admit(incoming: Incoming, services: Services): Promise<Admitted>;
  /** Verifies the sender from the bytes of the body before they are parsed, or throws the problem. */
  verifyBody?(bytes: Buffer, incoming: Incoming, services: Services): void;
  enter(
    admitted: Admitted,
    request: { incoming: Incoming; inputs: Inputs; operation: AnyOperation<Services> },
    services: Services,
    run: (context: Context) => Promise<Reply>,
  ): Promise<Reply>;
}

export interface ReplySpec {
  description: string;
  schema?: TSchema;
  /** Defaults to application/json. */
  contentType?: string;
  /** Types that a response can have instead. */
  otherContentTypes?: readonly string[];
  examples?: Record<string, unknown>;
  /** Headers in addition to those of every response of this kind. */
  headers?: readonly HeaderName[];
  /** Operations that can use the content of the response, by the name of the link. */
  links?: Readonly<Record<string, Link>>;
}

export interface Link {
  operationId: string;
  description: string;
  /** Maps a parameter to a runtime expression, such as `$response.body#/id`. */
  parameters: Readonly<Record<string, string>>;
}

type Replies = Record<number, ReplySpec>;
export type ReplyDetails = Pick<ReplySpec, 'contentType' | 'headers' | 'links'>;

/**
 * Returns the replies of an operation that succeeds with 200, such as
 * `ok('The server.', Server, { aServer: exampleServer })`.
 */
export const ok = (description: string, schema: TSchema, examples?: object, details?: ReplyDetails): Replies => ({
  200: replySpec(description, schema, examples, details),
});

/** Returns the replies of an operation that succeeds with 201, like `ok`. */
export const created = (description: string, schema: TSchema, examples: object, details?: ReplyDetails): Replies => ({
  201: replySpec(description, schema, examples, details),
});

/** Returns the replies of an operation that succeeds with 202, like `ok`. */
export const accepted = (description: string, schema: TSchema, examples: object, details?: ReplyDetails): Replies => ({
  202: replySpec(description, schema, examples, details),
});

const replySpec = (description: string, schema: TSchema, examples?: object, details?: ReplyDetails): ReplySpec => ({
  description,
  schema,
  ...(examples && { examples: { ...examples } }),
  ...details,
});

type Value<T> = T extends TSchema ? Static<T> : undefined;
type PropertiesOf<T> = T extends { properties: infer Properties } ? Properties : object;
/** The identifiers among the properties of a schema, as uuids. */
type Ids<T, Properties = PropertiesOf<T>> = {
  [Name in keyof Properties as Properties[Name] extends IdSchema<string>
    ? Name
    : never]: Properties[Name] extends IdSchema<infer Prefix>
    ? Uuid<Prefix> | (Properties[Name] extends { '~optional': true } ? undefined : never)
    : never;
};

interface OperationInputs<P, Q, B> {
  params: Value<P>;
  query: Value<Q>;
  body: Value<B>;
  /** The uuids of the identifiers in the path and in the query, by the name of the parameter. */
  ids: Ids<P> & Ids<Q>;
}

interface OperationSpec<Services, Admitted, Context, P, Q, B> {
  id: string;
  /** Such as `GET /v1/things/{thingId}`. */
  route: `${Method} /${string}`;
  tag: string;
  summary: string;
  description: string;
  access: Access<Services, Admitted, Context>;
  params?: P;
  query?: Q;
  body?: B;
  /** A media type of the body in addition to `application/json`, such as `application/merge-patch+json`. */
  bodyType?: string;
  /** Example bodies by name. */
  examples?: Record<string, unknown>;
  replies: Replies;
  /** Deprecated parts: the operation, parts of its requests and responses, or the events that it returns. */
  deprecations?: readonly Deprecation[];
  /** Problems in addition to those that its access and its inputs imply. */
  problems?: readonly ProblemCode[];
  run(context: Context, inputs: OperationInputs<P, Q, B>): Promise<Reply>;
}

/** An operation whose own types were checked at its declaration and are erased here. */
export interface AnyOperation<Services>
  extends Omit<OperationSpec<Services, unknown, unknown, TSchema, TSchema, TSchema>, 'route' | 'run'> {
  method: Method;
  path: string;
  run(context: unknown, inputs: { params: unknown; query: unknown; body: unknown; ids: unknown }): Promise<Reply>;
}

export function operation<
  Services,
  Admitted,
  Context,
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
>({ route, ...spec }: OperationSpec<Services, Admitted, Context, P, Q, B>): AnyOperation<Services> {
  const [method, path] = route.split(' ');
  // The only place where an operation's own types are erased. mount passes each function exactly the values that its
  // declaration's validators accepted.
  return { ...spec, method, path } as unknown as AnyOperation<Services>;
}
