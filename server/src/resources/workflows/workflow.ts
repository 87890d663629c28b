// A workflow as the store reads it.
import { workflows } from '../../access/contracts/index.ts';
import type { Static } from '../../kit/http/schema.ts';
import { objectReader, type RowOf } from '../objects/index.ts';

export const Workflow = workflows.schema;
export type Workflow = Static<typeof Workflow>;

export interface WorkflowRow extends RowOf<typeof workflows> {
  steps: string[];
  failing_step: number | null;
}

export const toWorkflow: (row: WorkflowRow) => Workflow = objectReader(workflows);
