// The chains of an organisation that the Console reads: its own, and one per environment.

import type { Actor, Environment } from '../../access/authority/index.ts';
import { isActionAllowed } from '../../access/authority/index.ts';
import { type ConsoleServices, findMembership } from '../../identity/sessions/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { type ChainPage, type ChainSource, databaseSource, type SequenceRange } from './chain-source.ts';

export function listChainSources(services: ConsoleServices, actor: Actor): ChainSource[] {
  const { organisationId } = actor;
  const all = [
    databaseSource(services.db, 'console', organisationId),
    ...services.environments.map(({ name }) => planeSource(services, actor, name)),
  ];
  // A download may take long, so the member's access is checked again for each page.
  return all.map((source) => ({
    ...source,
    async read(range) {
      const now = await findMembership(services.db, organisationId, actor.personId);
      if (!now || now.suspended_reason !== null || !isActionAllowed(now.role, 'audit.read')) throw problem('not_found');
      return source.read(range);
    },
  }));
}

function planeSource(services: ConsoleServices, actor: Actor, environment: Environment): ChainSource {
  const { organisationId } = actor;
  return {
    chain: environment,
    organisationId,
    async read(range) {
      const path = `/organisations/${toId('org', organisationId)}/audit-entries?${queryOf(range)}`;
      const [answer] = await services.askPlanes(actor, { method: 'GET', path, body: undefined, environment });
      // A log with a missing part could be mistaken for the complete log.
      if (answer?.status !== 200) throw problem('unavailable');
      const page: ChainPage = JSON.parse(answer.body); // the response of listAuditEntries
      return page;
    },
  };
}

function queryOf(range: SequenceRange): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(range)) if (value !== undefined) search.set(name, String(value));
  return search;
}
