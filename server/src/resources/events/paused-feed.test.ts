// The read of the feed for a server that does not allow it must examine no events. A check of each event examined all
// events of the app on every rejected request, and a change of the grant waited for these requests.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { issuedStatements } from '../../../test/issued-statements.ts';

vi.mock('../../kit/db/db-batch.ts', async (original) =>
  (await import('../../../test/issued-statements.ts')).recordStatements(await original()),
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

/** Returns the status of the response, and whether the SQL statement examined events. */
async function readFeed(): Promise<{ status: number; hasReadEvents: boolean }> {
  issuedStatements.length = 0;
  const { status } = await sandbox.call(`/v1/events?serverId=${app.serverIds[0]}`, token);
  const [read, ...more] = issuedStatements.filter(({ statement }) => statement.text.includes('from events e'));
  if (!read || more.length > 0) throw new Error('One statement reads the feed.');
  const { rows } = await sandbox.database.superuser.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `explain (analyze, format json) ${read.statement.text}`,
    [...read.statement.values],
  );
  const readsEvents = ({ 'Relation Name': name, 'Actual Loops': loops, Plans = [] }: PlanNode): boolean =>
    (name?.startsWith('events') === true && loops > 0) || Plans.some(readsEvents);
  return { status, hasReadEvents: rows.some((row) => row['QUERY PLAN'].some(({ Plan }) => readsEvents(Plan))) };
}

test('rejects a read of a paused server’s feed without examining its events', async () => {
  expect(await readFeed()).toEqual({ status: 200, hasReadEvents: true });
  const installation = `/apps/${app.id}/servers/${app.serverIds[0]}/installation`;
  expect((await sandbox.manage('PUT', `${installation}/scopes/events:read`, { state: 'paused' })).status).toBe(200);
  expect(await readFeed()).toEqual({ status: 403, hasReadEvents: false });
});
