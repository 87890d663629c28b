// Workflows: the procedures that a community allows apps to run, their runs, and the worker that advances the runs.
import { createWorkflowRun } from './create-workflow-run.ts';
import { getWorkflowRun } from './get-workflow-run.ts';
import { listWorkflows } from './list-workflows.ts';

export const workflowOperations = [listWorkflows, createWorkflowRun, getWorkflowRun];
export { advanceDueRuns, startWorkflowRuns } from './advance-runs.job.ts';
export { deleteRuns, deleteWorkflows, findRun, findWorkflow, upsertWorkflows } from './store.ts';
export { syntheticWorkflows } from './synthetic-workflows.ts';
export { triggerRun } from './trigger-run.ts';
export { toWorkflow, Workflow } from './workflow.ts';
export { exampleRun, RunInput, toWorkflowRun, WorkflowRun } from './workflow-run.ts';
