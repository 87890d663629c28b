// What an operation of the Console may demand: anybody on the Console's own page, a signed-in person, or a member.
import type { Database, Queryable, Transaction } from '../../kit/db.ts';
import { fromId } from '../../kit/ids.ts';
import type { Access, Incoming, Inputs, Method, Reply } from '../../kit/operation.ts';
import { type ProblemCode, ProblemError, problem } from '../../kit/problems.ts';
import type { Secret } from '../../kit/secret.ts';
import { appendAuditEntry } from '../audit/index.ts';
import { ACTIONS, type Action, type Actor, type Environment, requireAction } from '../authority/index.ts';
import type { Identity, Person, Visitor } from './identity.ts';
import { findRole, holdOrganisation } from './store.ts';

/** What the Console's operations are given. It holds no secret of any plane but the key that signs its assertions. */
export interface ConsoleServices {
  db: Database;
  identity: Identity;
  /** The address that people type, without a slash at its end. */
  consoleUrl: string;
  /** The origins of the Console's own pages; on this machine each spelling of loopback is one. */
  origins: readonly string[];
  environments: readonly EnvironmentInfo[];
  /** Signs cursors. */
  cursorKey: Secret;
  /** Asks each environment for the same, in the name of a member. */
  askPlanes(actor: Actor, call: PlaneCall): Promise<PlaneAnswer[]>;
  /** Told when somebody has signed in; the first time ends the first run. */
  onSignIn(): Promise<void>;
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
  /** All of them, when none is named. */
  only?: Environment;
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
}
export interface PersonContext extends VisitorContext {
  person: Person;
  /** Enters what they do in the organisation's audit log, with the transaction of the change. */
  audit(tx: Transaction, entry: PersonsEntry): void;
}
export interface PersonsEntry {
  organisationId: string;
  action: string;
  target: string;
  detail?: Record<string, unknown>;
}
export interface MemberContext extends PersonContext {
  actor: Actor;
}
export interface OrganisationContext extends Omit<MemberContext, 'audit'> {
  tx: Transaction;
  /** Enters what this operation does in the audit log, with its transaction. */
  audit(action: string, target: string, detail?: Record<string, unknown>): void;
  /** Once this transaction is committed: makes the answer, which needs more than the Console's own database. */
  answerAfterCommit(make: () => Promise<Reply>): Reply;
}

const CSRF_HEADER = 'slipway-console';

export function visitorOf(incoming: Incoming): Visitor {
  const { cookie } = incoming.headers;
  return { cookie: typeof cookie === 'string' ? cookie : undefined, address: incoming.ip };
}

// A foreign page can make a browser send cookies, but neither this header (without a preflight that nobody answers) nor
// our Origin.
function refuseCrossSite(incoming: Incoming, services: ConsoleServices): void {
  const { origin } = incoming.headers;
  const isForeign = origin !== undefined && !services.origins.some((own) => own === origin);
  if (isForeign) throw problem('cross_site_request', { detail: 'The header Origin names another site.' });
  if (!isRead(incoming) && incoming.headers[CSRF_HEADER] === undefined) {
    throw problem('cross_site_request', { detail: 'The header Slipway-Console is missing; any value will do.' });
  }
}

const isRead = ({ method }: Incoming): boolean => method === 'GET' || method === 'HEAD';

async function requirePerson(incoming: Incoming, services: ConsoleServices): Promise<Person> {
  refuseCrossSite(incoming, services);
  const person = await services.identity.person(visitorOf(incoming));
  if (!person) throw problem('sign_in_required');
  return person;
}

const PERSON_PROBLEMS: readonly ProblemCode[] = ['sign_in_required', 'cross_site_request', 'unavailable'];

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
    enter: (_admitted, { incoming }, services, run) => run({ services, visitor: visitorOf(incoming) }),
  };
}

function personContext(person: Person, incoming: Incoming): Omit<PersonContext, 'services'> {
  return {
    visitor: visitorOf(incoming),
    person,
    audit: (tx, { detail = {}, ...entry }) =>
      appendAuditEntry(tx, {
        ...entry,
        appId: null,
        actor: { kind: 'person', id: person.id, name: person.email },
        detail,
        requestId: incoming.exchange.id,
        clientAddress: incoming.ip,
      }),
  };
}

/** A person who is signed in. */
export function signedIn(): Access<ConsoleServices, Person, PersonContext> {
  return {
    security: 'session',
    summary: 'A person who is signed in.',
    problems: PERSON_PROBLEMS,
    admit: requirePerson,
    enter: (person, { incoming }, services, run) => run({ services, ...personContext(person, incoming) }),
  };
}

/** A member of the organisation in the path, in whatever role; the environment judges what the role allows. */
export function member(): Access<ConsoleServices, Person, MemberContext> {
  return {
    security: 'session',
    summary: 'A member of the organisation.',
    problems: [...PERSON_PROBLEMS, 'not_found'],
    admit: requirePerson,
    async enter(person, { incoming, inputs }, services, run) {
      const actor = await requireMember(services.db, person, organisationOf(inputs), incoming);
      return run({ services, ...personContext(person, incoming), actor });
    },
  };
}

/**
 * The same, whose role allows an action on the organisation itself: in one transaction, which a change shares with no other
 * change of who belongs there, and in which the role was read.
 */
export function memberMay(action: Action): Access<ConsoleServices, Person, OrganisationContext> {
  return {
    security: 'session',
    action,
    summary: `A member whose role allows \`${action}\`: ${ACTIONS[action].join(', ')}.`,
    problems: [...PERSON_PROBLEMS, 'role_not_allowed', 'not_found', 'timeout'],
    admit: requirePerson,
    async enter(person, { incoming, inputs }, services, run) {
      const organisationId = organisationOf(inputs);
      let makeAnswer: (() => Promise<Reply>) | undefined;
      const { audit: enterEntry, ...context } = personContext(person, incoming);
      const enter = async (tx: Transaction): Promise<Reply> => {
        if (!isRead(incoming)) await holdOrganisation(tx, organisationId);
        const actor = await requireMember(tx, person, organisationId, incoming);
        requireAction(actor.role, action);
        const audit: OrganisationContext['audit'] = (name, target, detail) =>
          enterEntry(tx, { organisationId, action: name, target, ...(detail && { detail }) });
        const answerAfterCommit = (make: () => Promise<Reply>): Reply => {
          makeAnswer = make;
          return { status: 200 };
        };
        return run({ services, ...context, actor, tx, audit, answerAfterCommit });
      };
      const reply = await services.db.transaction(enter).catch(async (error: unknown) => {
        // What their role does not allow, or who is beyond it. The change's own transaction is gone.
        if (error instanceof ProblemError && error.code === 'role_not_allowed') {
          const entry = { organisationId, action: 'access.refused', target: person.id, detail: { action } };
          await services.db.transaction(async (tx) => enterEntry(tx, entry));
        }
        throw error;
      });
      return makeAnswer ? makeAnswer() : reply;
    },
  };
}

function organisationOf(inputs: Inputs): string {
  const organisationId = fromId('org', inputs.params.organisationId ?? '');
  if (!organisationId) throw problem('not_found');
  return organisationId;
}

async function requireMember(
  db: Queryable,
  person: Person,
  organisationId: string,
  incoming: Incoming,
): Promise<Actor> {
  const role = await findRole(db, organisationId, person.id);
  if (!role) throw problem('not_found');
  return {
    kind: 'person',
    personId: person.id,
    name: person.email,
    organisationId,
    role,
    address: incoming.ip,
  };
}
