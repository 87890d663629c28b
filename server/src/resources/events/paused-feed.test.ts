// What the feed of a server reads where the server lets nobody read it: nothing, however much there is. Judged for each event, it was
// all that the app ever had, at every refusal, and whoever gave the access back waited for those who were refused.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { issued } from '../../../test/issued-statements.ts';

vi.mock('../../kit/db/db-batch.ts', async (original) =>
  (await import('../../../test/issued-statements.ts')).recording(await original()),
);

interface PlanNode {
  'Relation Name'?: string;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

let sandbox: Sandbox;
let app: TestApp;
let token: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  token = (await app.key()).token;
});
afterAll(() => sandbox.close());

/** The answer's status, and whether the statement that it came of looked into the events. */
async function readFeed(): Promise<{ status: number; hasLooked: boolean }> {
  issued.length = 0;
  const { status } = await sandbox.call(`/v1/events?serverId=${app.serverIds[0]}`, token);
  const [read, ...more] = issued.filter(({ statement }) => statement.text.includes('from events e'));
  if (!read || more.length > 0) throw new Error('One statement reads the feed.');
  const { rows } = await sandbox.database.superuser.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `explain (analyze, format json) ${read.statement.text}`,
    [...read.statement.values],
  );
  const looks = ({ 'Relation Name': name, 'Actual Loops': loops, Plans = [] }: PlanNode): boolean =>
    (name?.startsWith('events') === true && loops > 0) || Plans.some(looks);
  return { status, hasLooked: rows.some((row) => row['QUERY PLAN'].some(({ Plan }) => looks(Plan))) };
}

test('a server that is paused is refused without a look into its events', async () => {
  expect(await readFeed()).toEqual({ status: 200, hasLooked: true });
  const installation = `/apps/${app.id}/servers/${app.serverIds[0]}/installation`;
  expect((await sandbox.manage('PUT', `${installation}/scopes/events:read`, { state: 'paused' })).status).toBe(200);
  expect(await readFeed()).toEqual({ status: 403, hasLooked: false });
});
