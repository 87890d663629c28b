// Reads facts about an app from the sandbox. The Console's server asks itself, so the applicant cannot supply the
// facts.

import type { Actor } from '../../access/authority/index.ts';
import type { ConsoleServices } from '../../identity/sessions/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { problem } from '../../kit/openapi/problems.ts';

/** Returns the response; undefined if the sandbox has no such app. */
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
  return JSON.parse(answer.body) as Body; // the response of the operation
}
