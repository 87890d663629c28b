// A workflow: a procedure that the team of a community has prepared and allows apps to run.
import { toId } from '../../kit/crypto/ids.ts';
import { dateTime, idSchema, namedObject, type Static, Type, text } from '../../kit/http/schema.ts';
import { ServerId } from '../servers/index.ts';

export const WorkflowId = idSchema('wfl', 'The identifier of the workflow.');

export const Workflow = namedObject(
  'Workflow',
  'A procedure that a community’s team has prepared and allows apps to run.',
  {
    id: WorkflowId,
    serverId: ServerId,
    name: text('The name.', { maxLength: 100 }),
    description: text('The effect of a run.', { maxLength: 1_000 }),
    inputSchema: Type.Object(
      {},
      { additionalProperties: true, description: 'The JSON Schema (2020-12) of a run’s input.' },
    ),
    enabled: Type.Boolean({ description: 'True if the workflow can be run.' }),
    createdAt: dateTime('The creation time.'),
  },
);
export type Workflow = Static<typeof Workflow>;

export interface WorkflowRow {
  workflow_id: string;
  server_id: string;
  name: string;
  description: string;
  input_schema: Record<string, unknown>;
  steps: string[];
  failing_step: number | null;
  enabled: boolean;
  created_at: Date;
}

export function toWorkflow(row: WorkflowRow): Workflow {
  return {
    id: toId('wfl', row.workflow_id),
    serverId: toId('srv', row.server_id),
    name: row.name,
    description: row.description,
    inputSchema: row.input_schema,
    enabled: row.enabled,
    createdAt: row.created_at.toISOString(),
  };
}

export const exampleWorkflow: Workflow = {
  id: 'wfl_01j9z3v8k6e5t8m2n4p6q8r0sc',
  serverId: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2',
  name: 'Welcome a member',
  description: 'Greets a new member and gives them the roles that they asked for.',
  inputSchema: {
    type: 'object',
    properties: { memberName: { type: 'string', minLength: 1, maxLength: 100 } },
    required: ['memberName'],
    additionalProperties: false,
  },
  enabled: true,
  createdAt: '2026-08-03T12:00:00.000Z',
};
