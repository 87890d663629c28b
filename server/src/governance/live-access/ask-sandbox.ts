// What the sandbox knows of an app, asked by the Console's server itself: nothing of it comes from whoever asks for live access.

import type { Actor } from '../../access/authority/index.ts';
import type { ConsoleServices } from '../../identity/sessions/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { problem } from '../../kit/openapi/problems.ts';

/** Undefined when it has no such app. */
export async function askSandbox<Body>(
  services: ConsoleServices,
  actor: Actor,
  path: string,
): Promise<Body | undefined> {
  const full = `/organisations/${toId('org', actor.organisationId)}/${path}`;
  const call = { method: 'GET', path: full, body: undefined, environment: 'sandbox' } as const;
  const [answer] = await services.askPlanes(actor, call);
  if (answer?.status === 404) return undefined;
  if (answer?.status !== 200) throw problem('unavailable');
  return JSON.parse(answer.body) as Body; // as its operation answers
}
