// Search parameters of the pages below the installations.
import type { EventType, Operations, Scope } from '../../kit/api.ts';
import { OWN_CONTRACT } from '../../kit/own-contract.ts';
import { SCOPES } from '../../kit/scopes.ts';
import { choiceParam, textParam } from '../../kit/search.ts';
import { ALL_TYPES } from '../../webhooks/webhooks/event-types.ts';

export interface InstallationsSearch {
  /** The only server to show. Undefined: all. */
  server?: string;
}

export function toInstallationsSearch(
  search: Partial<Record<keyof InstallationsSearch, unknown>>,
): InstallationsSearch {
  return textParam('server', search.server);
}

export interface HistorySearch {
  server?: string;
  scope?: Scope;
}

export function toHistorySearch(search: Partial<Record<keyof HistorySearch, unknown>>): HistorySearch {
  return { ...textParam('server', search.server), ...choiceParam('scope', search.scope, SCOPES) };
}

type ExplainedOperation = Operations['explainAccess']['input']['operationId'];

// A record, so that the compiler reports a missing operation.
const EXPLAINED: Record<ExplainedOperation, true> = {
  getMe: true,
  listServers: true,
  getServer: true,
  listPublications: true,
  getPublication: true,
  listRoadmap: true,
  getRoadmapItem: true,
  listTickets: true,
  createTicket: true,
  getTicket: true,
  listWorkflows: true,
  createWorkflowRun: true,
  getWorkflowRun: true,
  listEvents: true,
  getEvent: true,
};
const OF_PLATFORM: readonly ExplainedOperation[] = ['getMe', 'listEvents', 'getEvent'];
// Its own keys, and no others.
export const EXPLAINED_OPERATIONS = OWN_CONTRACT
  ? [...OF_PLATFORM, ...OWN_CONTRACT.operationIds]
  : (Object.keys(EXPLAINED) as ExplainedOperation[]);

export interface AccessSearch {
  operation?: ExplainedOperation;
  key?: string;
  server?: string;
  event?: EventType;
}

export function toAccessSearch(search: Partial<Record<keyof AccessSearch, unknown>>): AccessSearch {
  return {
    ...choiceParam('operation', search.operation, EXPLAINED_OPERATIONS),
    ...textParam('key', search.key),
    ...textParam('server', search.server),
    ...choiceParam('event', search.event, ALL_TYPES),
  };
}
