// The access that a Console operation can require: any client on the Console's own page, a signed-in person, or a
// member.

import { type Actor, type Environment, requestScopeOf, type WorkScope } from '../../access/authority/index.ts';
import type { MasterKeys } from '../../kit/crypto/seal.ts';
import type { Secret } from '../../kit/crypto/secret.ts';
import type { Database, Queryable } from '../../kit/db/db.ts';
import type { AddressLimiter } from '../../kit/http/address-limiter.ts';
import type { OpenStreams } from '../../kit/http/open-streams.ts';
import type { Access, Incoming, Inputs, Method } from '../../kit/http/operation.ts';
import { type ProblemCode, type ProblemError, problem } from '../../kit/openapi/problems.ts';
import type { OidcClient } from '../../kit/outbound/oidc.ts';
import { authenticateBearer, type BearerToken } from './bearer.ts';
import type { Identity, Person, Visitor } from './identity.ts';
import { findMembership } from './store.ts';
import type { StreamKind } from './stream-limits.ts';

/**
 * The services of the Console's operations. They contain no secret of any plane except the key that signs assertions.
 */
export interface ConsoleServices {
  db: Database;
  identity: Identity;
  /** The address that people type, without a trailing slash. */
  consoleUrl: string;
  /** The origins of the Console's own pages. On a local machine each spelling of loopback is one. */
  origins: readonly string[];
  environments: readonly EnvironmentInfo[];
  /** The identity provider of the operator; null if none is configured. */
  provider: { name: string; client: OidcClient; onFailure(error: unknown): void } | null;
  /** False if no mail server is configured: mails then stay in the outbox for the operator. */
  sendsMail: boolean;
  /** Returns true if the person is an operator now, by the settings or by the database. */
  isOperator(person: Person): Promise<boolean>;
  /**
   * Called after the commit of a changed organisation status. Sends the status to the environments before the answer.
   */
  onStatusChange(organisationId: string): Promise<void>;
  /** Signs cursors. */
  cursorKey: Secret;
  /** Seals the addresses of destinations of notices, and judges new addresses. */
  destinations: {
    sealingKeys: MasterKeys;
    /** Returns why the URL must not be called; undefined if it may be. */
    refuseUrl(url: string): string | undefined;
  };
  /** Sends the same request to each environment, in the name of a member or of the Console itself. */
  askPlanes(actor: Actor | 'console', call: PlaneCall): Promise<PlaneResponse[]>;
  /** Called after each sign-in. The first one ends the first run. */
  onSignIn(): Promise<void>;
  /** The open streams by organisation. */
  streams: OpenStreams<StreamKind>;
  /** Limits polls with unknown device codes by address. */
  deviceCodes: AddressLimiter;
}

interface EnvironmentInfo {
  name: 'sandbox' | 'production';
  apiUrl: string;
  /** The address of the demo receiver's page, if there is one. */
  receiverUrl: string | null;
}

interface PlaneCall {
  method: Method;
  path: string;
  body: unknown;
  /** Limits the call to this environment. All environments receive it by default. */
  environment?: Environment;
}

export interface PlaneResponse {
  environment: Environment;
  /** Undefined if the environment was unreachable. */
  status: number | undefined;
  body: string;
}

export interface VisitorContext {
  services: ConsoleServices;
  visitor: Visitor;
  requestId: string;
  /** The scope of a unit of work: the request and, if known, the person or access token that acts. */
  workScope: WorkScope;
}
export interface PersonContext extends VisitorContext {
  person: Person;
}
export interface MemberContext extends PersonContext {
  actor: Actor;
}
const CSRF_HEADER = 'slipway-console';

function readVisitor(incoming: Incoming): Visitor {
  const { cookie, 'user-agent': userAgent } = incoming.headers;
  const one = (header: unknown): string | undefined => (typeof header === 'string' ? header : undefined);
  return { cookie: one(cookie), address: incoming.ip, userAgent: one(userAgent)?.slice(0, 300) };
}

function refuseForeignOrigin({ headers: { origin } }: Incoming, services: ConsoleServices): void {
  const isForeign = origin !== undefined && !services.origins.some((own) => own === origin);
  if (isForeign) throw problem('cross_site_request', { detail: 'The header Origin names another site.' });
}

// A foreign page can make a browser send cookies. It cannot set this header, because the preflight fails, and it cannot
// forge the Console's Origin.
function refuseCrossSite(incoming: Incoming, services: ConsoleServices): void {
  refuseForeignOrigin(incoming, services);
  if (!isRead(incoming) && incoming.headers[CSRF_HEADER] === undefined) {
    throw problem('cross_site_request', { detail: 'The header Slipway-Console is missing. Send it with any value.' });
  }
}

const isRead = ({ method }: Incoming): boolean => method === 'GET' || method === 'HEAD';

/** The caller: a signed-in person, or an access token of the person. */
export interface ConsoleCaller {
  person: Person;
  token: BearerToken | undefined;
}

/**
 * Authenticates the caller. If a token is sent, only the token counts: a cookie in the same request is ignored, also if
 * the token is invalid. A foreign page cannot make a browser send a token, so a request with a token needs no CSRF
 * header.
 */
export async function requireConsoleCaller(incoming: Incoming, services: ConsoleServices): Promise<ConsoleCaller> {
  refuseForeignOrigin(incoming, services);
  const token = await authenticateBearer(services.db, incoming);
  if (token) return { person: token.person, token };
  refuseCrossSite(incoming, services);
  const person = await services.identity.person(readVisitor(incoming));
  if (!person) throw problem('sign_in_required');
  return { person, token };
}

export async function requirePerson(incoming: Incoming, services: ConsoleServices): Promise<Person> {
  const { person, token } = await requireConsoleCaller(incoming, services);
  if (token) throw notForTokens();
  return person;
}

/**
 * Returns the refusal of a token. No token can change people, accounts or tokens, so a leaked one cannot extend its
 * access.
 */
const notForTokens = (): ProblemError =>
  problem('access_token_not_allowed', {
    detail: 'This requires a signed-in person. Access tokens are not accepted.',
    headers: { 'www-authenticate': 'Bearer realm="slipway"' },
  });

export const PERSON_PROBLEMS: readonly ProblemCode[] = [
  'sign_in_required',
  'email_not_verified',
  'invalid_access_token',
  'access_token_not_allowed',
  'cross_site_request',
  'unavailable',
];

/** Allows any client on the Console's own page. */
export function allowVisitor(): Access<ConsoleServices, undefined, VisitorContext> {
  return {
    security: 'none',
    summary: 'Any client.',
    problems: ['cross_site_request', 'unavailable'],
    async admit(incoming, services) {
      refuseCrossSite(incoming, services);
      return undefined;
    },
    enter: (_admitted, { incoming }, services, run) =>
      run({
        services,
        visitor: readVisitor(incoming),
        requestId: incoming.exchange.id,
        workScope: requestScopeOf(incoming),
      }),
  };
}

export function personContext({ person, token }: ConsoleCaller, incoming: Incoming): Omit<PersonContext, 'services'> {
  return {
    visitor: readVisitor(incoming),
    requestId: incoming.exchange.id,
    person,
    workScope: {
      ...requestScopeOf(incoming),
      actor: { kind: token ? 'token' : 'person', id: token?.id ?? person.id, name: person.email },
    },
  };
}

/** Requires a signed-in person. */
export function allowPerson(): Access<ConsoleServices, Person, PersonContext> {
  return {
    security: 'session',
    summary: 'A signed-in person.',
    problems: PERSON_PROBLEMS,
    admit: requirePerson,
    enter: (person, { incoming }, services, run) =>
      run({ services, ...personContext({ person, token: undefined }, incoming) }),
  };
}

/**
 * Requires a member of the organisation in the path, or an access token of the member, in any role. The environment
 * decides what the role allows.
 */
export function allowMember(): Access<ConsoleServices, ConsoleCaller, MemberContext> {
  return {
    security: 'session',
    alternativeSecurity: 'token',
    summary: 'A member of the organisation.',
    problems: [...PERSON_PROBLEMS, 'not_found', 'organisation_suspended'],
    admit: requireConsoleCaller,
    async enter(caller, { incoming, inputs }, services, run) {
      const actor = await requireMember(services.db, caller, requireOrganisationId(inputs), incoming);
      if (caller.token?.scope === 'read' && !isRead(incoming)) throw readOnly();
      return run({ services, ...personContext(caller, incoming), actor });
    },
  };
}

export const readOnly = (): ProblemError =>
  problem('access_token_not_allowed', {
    detail: 'This access token may only read.',
    headers: { 'www-authenticate': 'Bearer realm="slipway", error="insufficient_scope", scope="write"' },
  });

export function requireOrganisationId(inputs: Inputs): string {
  const { organisationId } = inputs.ids;
  if (organisationId === undefined) throw problem('not_found');
  return organisationId;
}

/**
 * Returns the member as the actor of the organisation, with the current role. Throws `not_found` outside of the token's
 * organisation.
 */
export async function requireMember(
  db: Queryable,
  { person, token }: ConsoleCaller,
  organisationId: string,
  incoming: Incoming,
): Promise<Actor> {
  const isElsewhere = token !== undefined && token.organisationId !== organisationId;
  const membership = isElsewhere ? undefined : await findMembership(db, organisationId, person.id);
  if (!membership) throw problem('not_found');
  const { role, suspended_reason } = membership;
  if (suspended_reason !== null) throw problem('organisation_suspended', { detail: suspended_reason });
  return {
    kind: token ? 'token' : 'person',
    personId: person.id,
    tokenId: token?.id,
    name: person.email,
    organisationId,
    role,
    address: incoming.ip,
  };
}
