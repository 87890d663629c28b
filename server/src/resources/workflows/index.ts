// Workflows: the procedures that a community allows apps to run, their runs, and the worker that advances the runs.
import { workflowRuns, workflows } from '../../access/contracts/index.ts';
import { getOperation, listOperation } from '../objects/index.ts';
import { createWorkflowRun } from './create-workflow-run.ts';

export const workflowOperations = [listOperation(workflows), createWorkflowRun, getOperation(workflowRuns)];
export { advanceDueRuns, startWorkflowRuns } from './advance-runs.job.ts';
export { triggerRun } from './trigger-run.ts';
