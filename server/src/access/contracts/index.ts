// The contract of the upstream API: its declaration, and the contract of this process.

export { publications } from './community/publications.ts';
export { roadmapItems } from './community/roadmap.ts';
export { servers } from './community/servers.ts';
export { CATEGORIES, PRIORITIES, personName, Requester, reference, tickets } from './community/tickets.ts';
export { RunInput, RunStep, workflowRuns, workflows } from './community/workflows.ts';
export { eventData, olderData } from './contract.ts';
export { type AnyResource, type CharacterSet, type DataVersion, EVENT_SCOPE } from './declaration.ts';
export {
  contract,
  grantor,
  type InstalledResource,
  type ResourceEventType,
  type ResourceKind,
  type ResourcePlural,
  resourceEvents,
  resources,
  type Scope,
} from './installed.ts';
