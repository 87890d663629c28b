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

/** Returns the values that the handlers of a run read. */
export const toStoredWorkflow = ({ enabled, input_schema, steps, failing_step }: WorkflowRow) => ({
  enabled,
  inputSchema: input_schema,
  steps,
  failingStep: failing_step,
});
