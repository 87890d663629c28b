// Asks the environments which apps of saved views are erased. Each environment erases its apps without the Console.
import type { Actor } from '../../access/authority/index.ts';
import type { ConsoleServices } from '../../identity/sessions/index.ts';
import { toId } from '../../kit/crypto/ids.ts';

/**
 * Returns those of the apps that no environment has. An app in its grace period still exists. If an environment does not
 * answer, the result can lack erased apps.
 */
export async function findErasedApps(
  services: Pick<ConsoleServices, 'askPlanes'>,
  actor: Actor,
  appIds: readonly string[],
): Promise<string[]> {
  const erased: string[] = [];
  for (const appId of appIds) {
    const path = `/organisations/${toId('org', actor.organisationId)}/apps/${toId('app', appId)}`;
    const answers = await services.askPlanes(actor, { method: 'GET', path, body: undefined });
    if (answers.length > 0 && answers.every(({ status }) => status === 404)) erased.push(appId);
    // Each further call would wait for the same environment.
    else if (answers.some(({ status }) => status === undefined)) break;
  }
  return erased;
}
