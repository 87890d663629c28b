// What an answer that goes on for long demands: a member, who is asked for again for each part of it.
import type { OpenStream } from '../../kit/open-streams.ts';
import type { Access, Incoming, Inputs } from '../../kit/operation.ts';
import { type ProblemBody, problem } from '../../kit/problems.ts';
import type { TSchema } from '../../kit/schema.ts';
import type { Action, Environment } from '../authority/index.ts';
import {
  type Caller,
  type ConsoleServices,
  type MemberContext,
  member,
  organisationOf,
  requireCaller,
  requireMember,
} from './access.ts';

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface FollowContext extends MemberContext {
  /** Throws when the organisation has as many answers of this kind open as it may. */
  open(): OpenStream;
  /** Where an earlier answer broke off, as whoever asks says. */
  lastEventId: string | undefined;
  /**
   * Asks an environment as who it is by now. Undefined while it cannot be reached; throws when they are signed out, their token
   * has ended, they belong there no more, or the environment refuses them.
   */
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
        const lastEventId = incoming.headers['last-event-id'];
        return run({
          ...context,
          open: () => openStream(services, context.actor.organisationId),
          lastEventId: typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : undefined,
          read: (environment, path, query) => readAs(incoming, inputs, services, { environment, path, query }),
        });
      }),
  };
}

function openStream({ streams }: ConsoleServices, organisationId: string): OpenStream {
  const stream = streams.open(organisationId);
  if (stream) return stream;
  const detail = `An organisation has at most ${streams.most} tails and exports open at once. Close one first.`;
  throw problem('quota_exceeded', { detail });
}

async function readAs<Body>(
  incoming: Incoming,
  inputs: Inputs,
  services: ConsoleServices,
  { environment, path, query }: { environment: Environment; path: string; query: Query },
): Promise<Body | undefined> {
  const caller = await requireCaller(incoming, services);
  const actor = await requireMember(services.db, caller, organisationOf(inputs), incoming);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const asked = { method: 'GET', path: search.size === 0 ? path : `${path}?${search}`, body: undefined } as const;
  const [answer] = await services.askPlanes(actor, { ...asked, environment });
  if (!answer || answer.status === undefined || answer.status >= 500) return undefined;
  if (answer.status === 200) return JSON.parse(answer.body) as Body; // as its operation answers
  const { code, detail, errors } = JSON.parse(answer.body) as ProblemBody; // as every refusal is
  throw problem(code, { ...(detail !== undefined && { detail }), ...(errors && { errors }) });
}
