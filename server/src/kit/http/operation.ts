// An operation: one declaration and one function. The declaration is the single source for routing, validation,
// types, the OpenAPI document, the SDK and the tests.

import type { ProblemCode } from '../openapi/problems.ts';
import type { Span } from '../telemetry/trace.ts';
import type { Deprecation } from './deprecation.ts';
import type { HeaderName } from './response-headers.ts';
import type { Static, TSchema } from './schema.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Facts of a request from its arrival on; the record of it is made from them when it is answered. A product adds its own by
 * declaration merging.
 */
export interface Exchange {
  /** `req_...` */
  readonly id: string;
  /** The same as the 16 bytes of its uuid. */
  readonly uuid: Buffer;
  readonly startedAtMs: number;
  /** Undefined where there are no traces. */
  span: Span | undefined;
  /** What it asks for; undefined where there is no such path or method. */
  operation: Form | undefined;
  /** Its path as operations spell theirs, `/v1/servers/{serverId}`, with a `*` for what no path of ours has. */
  route: string | undefined;
  /** Who is proved to be calling; set by the operation's access. */
  principal: unknown;
  authorityUs: number;
  /** Of the operation with what surrounds it; undefined when it did not come to that. */
  operationUs: number | undefined;
  /** The uuid of the resource that it is about, where only the database tells. */
  subjectId: string | undefined;
  /** Of its Idempotency-Key, once that was claimed. */
  idempotencyHash: Buffer | undefined;
  /** Whether it got the stored answer of an earlier one. */
  isReplayed: boolean;
  /** The uuid of that one, where it is known. */
  storedAnswerOf: string | undefined;
  problem: ProblemCode | undefined;
  /** What the answer says beside its own headers, whatever it comes to. */
  headers: Readonly<Record<string, string>> | undefined;
}

/** What an operation says of the requests that ask for it. */
export interface Form extends Pick<AnyOperation<unknown>, 'id' | 'path' | 'params' | 'query' | 'body'> {
  readonly access: Pick<AnyOperation<unknown>['access'], 'security' | 'scope'>;
}

/** What of an HTTP request an operation's access may look at. */
export interface Incoming {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly ip: string;
  /** The request itself, by which one is told from every other. */
  readonly raw: object;
  readonly exchange: Exchange;
}

export interface Reply {
  status: number;
  body?: unknown;
  /** The body already serialised, instead of `body`; as bytes when it is given again and again. */
  json?: string | Buffer;
  /** The body piece by piece, instead of either. */
  stream?: AsyncIterable<string>;
  headers?: Record<string, string | string[]>;
  /** The uuid of the resource that it is about, where the path does not name it: for its record, not for the wire. */
  subjectId?: string | undefined;
}

export interface Inputs {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
}

/**
 * What an operation needs to be allowed to run. `admit` proves the caller before anything else of the request is
 * looked at; `enter` surrounds the function with what it works in (a transaction, a parent that was loaded inside the
 * caller's tenancy) and hands that over as the context. A function can touch nothing that its context does not hold.
 */
export interface Access<Services, Admitted, Context> {
  /** The OpenAPI security requirement. */
  readonly security: 'key' | 'session' | 'assertion' | 'none';
  /** Another scheme that does as well. */
  readonly orSecurity?: 'token';
  readonly scope?: string;
  /** What a role must allow, by its name in the table of roles. */
  readonly action?: string;
  /** In words, for the documentation. */
  readonly summary: string;
  readonly problems: readonly ProblemCode[];
  /** Headers that a request may carry, by name; the access reads them itself. */
  readonly requestHeaders?: Readonly<Record<string, TSchema>>;
  /** Those of them without which it is refused. */
  readonly requiredHeaders?: readonly string[];
  /** Headers that every answer may carry. */
  readonly headers?: readonly HeaderName[];
  admit(incoming: Incoming, services: Services): Promise<Admitted>;
  /** Proves who sent the body from its bytes, before anything parses them, or throws the problem. */
  proveBody?(bytes: Buffer, incoming: Incoming, services: Services): void;
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
  examples?: Record<string, unknown>;
  /** What it carries beyond what every answer of its kind does. */
  headers?: readonly HeaderName[];
  /** What can be called next with what it tells, by a name of the link. */
  links?: Readonly<Record<string, Link>>;
}

export interface Link {
  operationId: string;
  description: string;
  /** Parameter to a runtime expression, as `$response.body#/id`. */
  parameters: Readonly<Record<string, string>>;
}

type Value<T> = T extends TSchema ? Static<T> : undefined;

export interface OperationSpec<Services, Admitted, Context, P, Q, B> {
  id: string;
  method: Method;
  path: string;
  tag: string;
  summary: string;
  description: string;
  access: Access<Services, Admitted, Context>;
  params?: P;
  query?: Q;
  body?: B;
  /** Example bodies by name. */
  examples?: Record<string, unknown>;
  replies: Record<number, ReplySpec>;
  /** What of it is deprecated: itself, a query parameter or a field of its body. */
  deprecations?: readonly Deprecation[];
  /** What it may answer beyond what its access and its form imply. */
  problems?: readonly ProblemCode[];
  run(context: Context, inputs: { params: Value<P>; query: Value<Q>; body: Value<B> }): Promise<Reply>;
}

/** An operation whose types have been checked where it was declared and are of no more interest. */
export interface AnyOperation<Services>
  extends Omit<OperationSpec<Services, unknown, unknown, TSchema, TSchema, TSchema>, 'run'> {
  run(context: unknown, inputs: { params: unknown; query: unknown; body: unknown }): Promise<Reply>;
}

export function operation<
  Services,
  Admitted,
  Context,
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(spec: OperationSpec<Services, Admitted, Context, P, Q, B>): AnyOperation<Services> {
  // The one place where an operation's own types are forgotten: mount hands each function exactly what its
  // declaration's validators let through.
  return spec as unknown as AnyOperation<Services>;
}
