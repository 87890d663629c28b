// The resources whose objects have a table of their own.
import {
  type AnyResource,
  publications,
  roadmapItems,
  servers,
  tickets,
  workflowRuns,
  workflows,
} from '../../access/contracts/index.ts';

const WITH_TABLE: ReadonlySet<AnyResource> = new Set<AnyResource>([
  servers,
  publications,
  roadmapItems,
  tickets,
  workflows,
  workflowRuns,
]);

/** Returns false for a resource whose objects are in the table `objects`. */
export const hasTable = (resource: AnyResource): boolean => WITH_TABLE.has(resource);
