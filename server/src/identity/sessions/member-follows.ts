// What an answer that goes on for long demands: a member, who is asked for again for each part of it.

import type { Action, Environment } from '../../access/authority/index.ts';
import type { OpenStream } from '../../kit/http/open-streams.ts';
import type { Access, Incoming, Inputs } from '../../kit/http/operation.ts';
import { schemaErrors, type TSchema } from '../../kit/http/schema.ts';
import { type ProblemBody, type ProblemError, problem } from '../../kit/openapi/problems.ts';
import {
  type Caller,
  type ConsoleServices,
  type MemberContext,
  member,
  organisationOf,
  type PlaneAnswer,
  requireCaller,
  requireMember,
} from './access.ts';
import { STREAM_LIMITS, STREAM_WORDS, type StreamKind } from './stream-limits.ts';

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** What an environment answered; undefined while it cannot be reached. */
export type Ask = (environment: Environment, path: string) => Promise<PlaneAnswer | undefined>;

export interface FollowContext extends MemberContext {
  /** Throws when the organisation has as many answers of this kind open as it may. */
  open(kind: StreamKind): OpenStream;
  /** Where an earlier answer broke off, as whoever asks says. */
  lastEventId: string | undefined;
  /**
   * Proves anew who it is, and gives what asks an environment as who they are by now. Throws when they are signed out, their token
   * has ended, or they belong there no more.
   */
  prove(): Promise<Ask>;
  /** Proves, and asks for one thing. Undefined while the environment cannot be reached; throws also what it refuses with. */
  read<Body>(environment: Environment, path: string, query: Query): Promise<Body | undefined>;
}

/** A member of the organisation in the path, or a token of theirs; the environment judges what the role allows, each time. */
export function memberFollows(
  action: Action,
  requestHeaders: Readonly<Record<string, TSchema>> = {},
): Access<ConsoleServices, Caller, FollowContext> {
  const access = member();
  return {
    ...access,
    action,
    problems: [...access.problems, 'role_not_allowed', 'quota_exceeded', 'timeout'],
    requestHeaders,
    enter: (caller, request, services, run) =>
      access.enter(caller, request, services, (context) => {
        const { incoming, inputs } = request;
        return run({
          ...context,
          open: (kind) => openStream(services, context.actor.organisationId, kind),
          lastEventId: lastEventIdOf(incoming, requestHeaders),
          prove: () => prove(incoming, inputs, services),
          async read<Body>(environment: Environment, path: string, query: Query) {
            const ask = await prove(incoming, inputs, services);
            return bodyOf<Body>(await ask(environment, path + searchOf(query)));
          },
        });
      }),
  };
}

// The header's schema is in the contract as that of a parameter is, so it is held to it.
function lastEventIdOf({ headers }: Incoming, forms: Readonly<Record<string, TSchema>>): string | undefined {
  const sent = headers['last-event-id'];
  const form = forms['Last-Event-ID'];
  if (typeof sent !== 'string' || sent === '' || !form) return undefined;
  const errors = schemaErrors(form, sent, '/header/Last-Event-ID');
  if (errors.length > 0) throw problem('invalid_request', { errors });
  return sent;
}

function openStream({ streams }: ConsoleServices, organisationId: string, kind: StreamKind): OpenStream {
  const stream = streams.open(kind, organisationId);
  if (stream) return stream;
  const detail = `An organisation has at most ${STREAM_LIMITS[kind]} ${STREAM_WORDS[kind]} open at once. Close one first.`;
  throw problem('quota_exceeded', { detail });
}

async function prove(incoming: Incoming, inputs: Inputs, services: ConsoleServices): Promise<Ask> {
  const caller = await requireCaller(incoming, services);
  const actor = await requireMember(services.db, caller, organisationOf(inputs), incoming);
  return async (environment, path) => {
    const [answer] = await services.askPlanes(actor, { method: 'GET', path, body: undefined, environment });
    return !answer || answer.status === undefined || answer.status >= 500 ? undefined : answer;
  };
}

function searchOf(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? '' : `?${search}`;
}

function bodyOf<Body>(answer: PlaneAnswer | undefined): Body | undefined {
  if (!answer) return undefined;
  if (answer.status === 200) return JSON.parse(answer.body) as Body; // as its operation answers
  throw refusalOf(answer);
}

/** What an environment refused with, as our own. */
export function refusalOf({ body }: PlaneAnswer): ProblemError {
  const { code, detail, errors } = JSON.parse(body) as ProblemBody; // as every refusal is
  return problem(code, { ...(detail !== undefined && { detail }), ...(errors && { errors }) });
}
