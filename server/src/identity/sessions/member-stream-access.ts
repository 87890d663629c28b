// Access for streams: the member is authenticated again for each part of the answer.

import type { Action, Environment } from '../../access/authority/index.ts';
import type { OpenStream } from '../../kit/http/open-streams.ts';
import type { Access, Incoming, Inputs } from '../../kit/http/operation.ts';
import { schemaErrors, type TSchema } from '../../kit/http/schema.ts';
import { type ProblemBody, type ProblemError, problem } from '../../kit/openapi/problems.ts';
import {
  allowMember,
  type ConsoleCaller,
  type ConsoleServices,
  type MemberContext,
  type PlaneResponse,
  requireConsoleCaller,
  requireMember,
  requireOrganisationId,
} from './console-access.ts';
import { STREAM_LIMITS, STREAM_WORDS, type StreamKind } from './stream-limits.ts';

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Sends a request to an environment. Resolves to undefined while the environment is unreachable. */
export type PlaneReader = (environment: Environment, path: string) => Promise<PlaneResponse | undefined>;

export interface StreamContext extends MemberContext {
  /** Opens a stream. Throws `quota_exceeded` if the organisation has reached its limit of open streams of this kind. */
  open(kind: StreamKind): OpenStream;
  /** The position after which an earlier stream broke off, as the client sends it. */
  lastEventId: string | undefined;
  /**
   * Authenticates the caller again, and returns the function that calls an environment as this caller. Throws if the
   * person has signed out, the token has ended, or the person is no longer a member.
   */
  reauthenticate(): Promise<PlaneReader>;
  /**
   * Authenticates the caller again and reads from an environment. Resolves to undefined while the environment is
   * unreachable. Throws the problem that the environment answers.
   */
  read<Body>(environment: Environment, path: string, query: Query): Promise<Body | undefined>;
}

/**
 * Requires a member of the organisation in the path, or an access token of the member. The environment checks the role
 * again for each call.
 */
export function allowMemberStream(
  action: Action,
  requestHeaders: Readonly<Record<string, TSchema>> = {},
): Access<ConsoleServices, ConsoleCaller, StreamContext> {
  const access = allowMember();
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
          reauthenticate: () => reauthenticate(incoming, inputs, services),
          async read<Body>(environment: Environment, path: string, query: Query) {
            const callPlane = await reauthenticate(incoming, inputs, services);
            return bodyOf<Body>(await callPlane(environment, path + searchOf(query)));
          },
        });
      }),
  };
}

// The contract documents the header's schema like that of a parameter, so the header must match it.
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
  const detail = `An organisation has at most ${STREAM_LIMITS[kind]} ${STREAM_WORDS[kind]} open at the same time. Close one first.`;
  throw problem('quota_exceeded', { detail });
}

async function reauthenticate(incoming: Incoming, inputs: Inputs, services: ConsoleServices): Promise<PlaneReader> {
  const caller = await requireConsoleCaller(incoming, services);
  const actor = await requireMember(services.db, caller, requireOrganisationId(inputs), incoming);
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

function bodyOf<Body>(answer: PlaneResponse | undefined): Body | undefined {
  if (!answer) return undefined;
  if (answer.status === 200) return JSON.parse(answer.body) as Body; // as its operation answers
  throw toConsoleProblem(answer);
}

/** Converts the problem of an environment into the same problem of the Console. */
export function toConsoleProblem({ body }: PlaneResponse): ProblemError {
  const { code, detail, errors } = JSON.parse(body) as ProblemBody; // each refusal has this form
  return problem(code, { ...(detail !== undefined && { detail }), ...(errors && { errors }) });
}
