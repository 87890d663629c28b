// The input of a run, and a run as the store reads it.
import { RunInput, workflowRuns } from '../../access/contracts/index.ts';
import { namedObject, type Static } from '../../kit/http/schema.ts';
import { objectReader, type RowOf } from '../objects/index.ts';

export const WorkflowRun = workflowRuns.schema;
export type WorkflowRun = Static<typeof WorkflowRun>;

export const WorkflowRunInput = namedObject('WorkflowRunInput', 'A run to begin.', { input: RunInput });

export interface WorkflowRunRow extends RowOf<typeof workflowRuns> {
  /** Null for a run that was triggered from the Console. */
  request_id: string | null;
  event_sequence: number;
}

export const toWorkflowRun: (row: WorkflowRunRow) => WorkflowRun = objectReader(workflowRuns);

export const exampleNewRun: Static<typeof WorkflowRunInput> = { input: { memberName: 'Imke' } };
