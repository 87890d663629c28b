// What an operation of the Console may demand: anybody on the Console's own page, a signed-in person, or a member.

import { type Actor, type Environment, requestOf, type WorkScope } from '../../access/authority/index.ts';
import type { Secret } from '../../kit/crypto/secret.ts';
import type { Database, Queryable } from '../../kit/db/db.ts';
import type { AddressLimiter } from '../../kit/http/address-limiter.ts';
import type { OpenStreams } from '../../kit/http/open-streams.ts';
import type { Access, Incoming, Inputs, Method } from '../../kit/http/operation.ts';
import { type ProblemCode, type ProblemError, problem } from '../../kit/openapi/problems.ts';
import type { OidcClient } from '../../kit/outbound/oidc.ts';
import { type BearerToken, findBearer } from './bearer.ts';
import type { Identity, Person, Visitor } from './identity.ts';
import { findMembership } from './store.ts';
import type { StreamKind } from './stream-limits.ts';

/** What the Console's operations are given. It holds no secret of any plane but the key that signs its assertions. */
export interface ConsoleServices {
  db: Database;
  identity: Identity;
  /** The address that people type, without a slash at its end. */
  consoleUrl: string;
  /** The origins of the Console's own pages; on this machine each spelling of loopback is one. */
  origins: readonly string[];
  environments: readonly EnvironmentInfo[];
  /** Where people may sign in besides; null where the operator names no identity provider. */
  provider: { name: string; client: OidcClient; onFailure(error: unknown): void } | null;
  /** Whether mail is sent; otherwise it stays in the outbox, for the operator to read. */
  sendsMail: boolean;
  /** Whether somebody sees to the installation: by the settings or by the database, as of now. */
  isOperator(person: Person): Promise<boolean>;
  /** Told, after the commit, that an organisation stands otherwise now: tells the environments before the answer. */
  onStanding(organisationId: string): Promise<void>;
  /** Signs cursors. */
  cursorKey: Secret;
  /** Asks each environment for the same, in the name of a member, or of the Console itself. */
  askPlanes(actor: Actor | 'console', call: PlaneCall): Promise<PlaneAnswer[]>;
  /** Told when somebody has signed in; the first time ends the first run. */
  onSignIn(): Promise<void>;
  /** Answers that go on, by their organisations. */
  streams: OpenStreams<StreamKind>;
  /** Who polls with codes that no terminal was given. */
  deviceCodes: AddressLimiter;
}

export interface EnvironmentInfo {
  name: 'sandbox' | 'production';
  apiUrl: string;
  /** Where the demo's receiver shows what it got, when there is one. */
  receiverUrl: string | null;
}

export interface PlaneCall {
  method: Method;
  path: string;
  body: unknown;
  /** Only this one; all of them when it is left out. */
  environment?: Environment;
}

export interface PlaneAnswer {
  environment: Environment;
  /** Undefined where it could not be reached. */
  status: number | undefined;
  body: string;
}

export interface VisitorContext {
  services: ConsoleServices;
  visitor: Visitor;
  requestId: string;
  /** The request and, once known, the person or the token that acts for them: the scope of a unit of work. */
  by: WorkScope;
}
export interface PersonContext extends VisitorContext {
  person: Person;
}
export interface MemberContext extends PersonContext {
  actor: Actor;
}
const CSRF_HEADER = 'slipway-console';

export function visitorOf(incoming: Incoming): Visitor {
  const { cookie, 'user-agent': userAgent } = incoming.headers;
  const one = (header: unknown): string | undefined => (typeof header === 'string' ? header : undefined);
  return { cookie: one(cookie), address: incoming.ip, userAgent: one(userAgent)?.slice(0, 300) };
}

function refuseForeignOrigin({ headers: { origin } }: Incoming, services: ConsoleServices): void {
  const isForeign = origin !== undefined && !services.origins.some((own) => own === origin);
  if (isForeign) throw problem('cross_site_request', { detail: 'The header Origin names another site.' });
}

// A foreign page can make a browser send cookies, but neither this header (without a preflight that nobody answers) nor
// our Origin.
function refuseCrossSite(incoming: Incoming, services: ConsoleServices): void {
  refuseForeignOrigin(incoming, services);
  if (!isRead(incoming) && incoming.headers[CSRF_HEADER] === undefined) {
    throw problem('cross_site_request', { detail: 'The header Slipway-Console is missing; any value will do.' });
  }
}

const isRead = ({ method }: Incoming): boolean => method === 'GET' || method === 'HEAD';

/** Who calls: a person who is signed in, or a token of theirs. */
export interface Caller {
  person: Person;
  token: BearerToken | undefined;
}

/**
 * A token that is sent decides alone: a cookie beside it is not looked at, and a wrong one falls back to nothing. No browser
 * sends it for a foreign page, so the header against those is not asked of it.
 */
export async function requireCaller(incoming: Incoming, services: ConsoleServices): Promise<Caller> {
  refuseForeignOrigin(incoming, services);
  const token = await findBearer(services.db, incoming);
  if (token) return { person: token.person, token };
  refuseCrossSite(incoming, services);
  const person = await services.identity.person(visitorOf(incoming));
  if (!person) throw problem('sign_in_required');
  return { person, token };
}

export async function requirePerson(incoming: Incoming, services: ConsoleServices): Promise<Person> {
  const { person, token } = await requireCaller(incoming, services);
  if (token) throw notForTokens();
  return person;
}

/** No token does anything to people, accounts or tokens, its own included: a leaked one must not be able to stay. */
const notForTokens = (): ProblemError =>
  problem('access_token_not_allowed', {
    detail: 'This takes a person who is signed in: no access token can do it.',
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

/** Anybody on the Console's own page. */
export function visitor(): Access<ConsoleServices, undefined, VisitorContext> {
  return {
    security: 'none',
    summary: 'Anyone.',
    problems: ['cross_site_request', 'unavailable'],
    async admit(incoming, services) {
      refuseCrossSite(incoming, services);
      return undefined;
    },
    enter: (_admitted, { incoming }, services, run) =>
      run({ services, visitor: visitorOf(incoming), requestId: incoming.exchange.id, by: requestOf(incoming) }),
  };
}

export function personContext({ person, token }: Caller, incoming: Incoming): Omit<PersonContext, 'services'> {
  return {
    visitor: visitorOf(incoming),
    requestId: incoming.exchange.id,
    person,
    by: {
      ...requestOf(incoming),
      actor: { kind: token ? 'token' : 'person', id: token?.id ?? person.id, name: person.email },
    },
  };
}

/** A person who is signed in. */
export function signedIn(): Access<ConsoleServices, Person, PersonContext> {
  return {
    security: 'session',
    summary: 'A person who is signed in.',
    problems: PERSON_PROBLEMS,
    admit: requirePerson,
    enter: (person, { incoming }, services, run) =>
      run({ services, ...personContext({ person, token: undefined }, incoming) }),
  };
}

/** A member of the organisation in the path, or a token of theirs, in whatever role; the environment judges what that allows. */
export function member(): Access<ConsoleServices, Caller, MemberContext> {
  return {
    security: 'session',
    orSecurity: 'token',
    summary: 'A member of the organisation.',
    problems: [...PERSON_PROBLEMS, 'not_found', 'organisation_suspended'],
    admit: requireCaller,
    async enter(caller, { incoming, inputs }, services, run) {
      const actor = await requireMember(services.db, caller, organisationOf(inputs), incoming);
      if (caller.token?.scope === 'read' && !isRead(incoming)) throw readOnly();
      return run({ services, ...personContext(caller, incoming), actor });
    },
  };
}

const readOnly = (): ProblemError =>
  problem('access_token_not_allowed', {
    detail: 'This access token may only read.',
    headers: { 'www-authenticate': 'Bearer realm="slipway", error="insufficient_scope", scope="write"' },
  });

export function organisationOf(inputs: Inputs): string {
  const { organisationId } = inputs.ids;
  if (organisationId === undefined) throw problem('not_found');
  return organisationId;
}

/** Who it is there as of now. Where a token does not belong, nothing exists for it. */
export async function requireMember(
  db: Queryable,
  { person, token }: Caller,
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
