// Sends the same request to every plane, for actions of the Console that concern all of them.

import { signAssertion, signConsoleAssertion } from '../../access/authority/index.ts';
import type { ConsoleServices, PlaneResponse } from '../../identity/sessions/index.ts';
import { DatabaseUnavailable } from '../../kit/db/db.ts';
import type { PlaneConnection } from './forward.ts';

export function askPlanes(connections: readonly PlaneConnection[]): ConsoleServices['askPlanes'] {
  return (actor, { method, path, body, environment: only }) => {
    const targets = connections.filter(({ environment }) => only === undefined || environment === only);
    return Promise.all(
      targets.map(async ({ environment, link, managementKey }): Promise<PlaneResponse> => {
        const assertion = await (actor === 'console'
          ? signConsoleAssertion(environment, managementKey)
          : signAssertion(actor, environment, managementKey));
        try {
          const answer = await link({ method, path, assertion, body: JSON.stringify(body) });
          return { environment, status: answer.status, body: answer.body };
        } catch (error) {
          if (error instanceof DatabaseUnavailable) return { environment, status: undefined, body: '' };
          throw error;
        }
      }),
    );
  };
}
