// The workflows of a synthetic server: one of each kind, in a drawn order. One of them fails, so that clients can test
// failures.
import { createSeededRandom, derivedUuid, HISTORY_ENDS_MS, timeSlotOf } from '../synthetic.ts';
import type { Workflow } from './workflow.ts';

export type SyntheticWorkflow = Omit<Workflow, 'id' | 'inputSchema'> & {
  workflowId: string;
  inputSchema: Record<string, unknown>;
  steps: string[];
  failingStep: number | null;
};

type Kind = Omit<SyntheticWorkflow, 'workflowId' | 'serverId' | 'createdAt'>;

const object = (properties: Record<string, unknown>, required: string[]): Record<string, unknown> => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const line = (maxLength: number): Record<string, unknown> => ({ type: 'string', minLength: 1, maxLength });

const KINDS: readonly Kind[] = [
  {
    name: 'Welcome a member',
    description: 'Greets a new member and gives them the roles that they asked for.',
    inputSchema: object({ memberName: line(100), roles: { type: 'array', items: line(50), maxItems: 10 } }, [
      'memberName',
    ]),
    steps: ['greet', 'assign roles'],
    failingStep: null,
    enabled: true,
  },
  {
    name: 'Announce an event',
    description: 'Drafts an announcement, has it checked, and posts it in the channel.',
    inputSchema: object(
      { title: line(200), channel: line(100), seats: { type: 'integer', minimum: 1, maximum: 10_000 } },
      ['title', 'channel'],
    ),
    steps: ['draft', 'check', 'post'],
    failingStep: null,
    enabled: true,
  },
  {
    name: 'Rehearse a failure',
    description: 'Always fails at its second step, so that you can see how your integration takes it.',
    inputSchema: object({ note: line(500) }, []),
    steps: ['prepare', 'fail', 'clean up'],
    failingStep: 2,
    enabled: true,
  },
  {
    name: 'Close the season',
    description: 'Archives what is past. Its team has switched it off for now.',
    inputSchema: object({ year: { type: 'integer', minimum: 2020, maximum: 2100 } }, ['year']),
    steps: ['collect', 'archive'],
    failingStep: null,
    enabled: false,
  },
];
const HALF_TIME_COUNT = 40;

export function syntheticWorkflows(server: { serverId: string; createdAt: string }): SyntheticWorkflow[] {
  return KINDS.map((kind, index) => {
    const origin = `${server.serverId}/workflow/${index}`;
    const { atMs, spanMs } = timeSlotOf(Date.parse(server.createdAt), HISTORY_ENDS_MS, index + 1, HALF_TIME_COUNT);
    const createdMs = atMs + createSeededRandom(origin).number(spanMs);
    return {
      ...kind,
      workflowId: derivedUuid(origin, createdMs),
      serverId: server.serverId,
      createdAt: new Date(createdMs).toISOString(),
    };
  });
}
