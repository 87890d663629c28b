// Exports of requests as NDJSON and CSV, and access to them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type TestConsole } from '../../../test/console-app.ts';
import { foundOrganisation, type TestOrganisation } from '../../../test/organisation.fixture.ts';
import { fromId, newUuid, toId } from '../../kit/crypto/ids.ts';
import { exampleKept } from '../requests/index.ts';
import { toRequestCsvRow } from './request-csv.ts';

let home: TestConsole;
let organisation: TestOrganisation;
let requests: string;
let ids: string[];

beforeAll(async () => {
  home = await startConsole('local');
  organisation = await foundOrganisation(home);
  const apps = `/api/sandbox${organisation.base.replace('/api', '')}/apps`;
  const app = (await organisation.owner.visitor.call<{ id: string }>('POST', apps, { name: 'Bridge' })).body.id;
  requests = `${apps}/${app}/requests`;
  // More than two pages. Every second record has status 400.
  const uuids = Array.from({ length: 450 }, newUuid);
  await home.plane.database.superuser.query(
    `insert into request_records (app_id, request_id, at, duration_us, authority_us, status, method, path, response_bytes)
     select $1, id, now(), 1, 1, 200 + 200 * (place % 2)::int, 'GET', '/v1/me', 1
     from unnest($2::uuid[]) with ordinality as one (id, place)`,
    [fromId('app', app), uuids],
  );
  ids = uuids
    .filter((_, at) => at % 2 === 1)
    .reverse()
    .map((uuid) => toId('req', uuid));
});
afterAll(() => home.close());

const download = (kind: string, query = '?statusClass=2', by = organisation.owner.visitor) =>
  by.call('GET', `${requests}.${kind}${query}`);

/** Returns a request as its page shows it, without the fields that only the page has: derived ones and the capture. */
async function pageOf(id: string | undefined) {
  const { body } = await organisation.owner.visitor.call('GET', `${requests}/${id}`);
  const { replayIds, maskedPointers: _, maskedParameters: __, isPathComplete: ___, capture: ____, ...page } = body;
  return { replayIds, page };
}

test('an NDJSON export equals the list in content, order and filter', async () => {
  const { text, headers } = await download('ndjson');
  const lines = text.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(ids);
  const { replayIds, page } = await pageOf(ids[0]);
  expect([JSON.parse(lines[0] ?? ''), replayIds]).toEqual([page, []]);
  expect(headers.get('content-type')).toBe('application/x-ndjson');
  expect((await download('ndjson', '?code=missing_scope')).text).toBe('');
});

test('an NDJSON export holds the fields that the page of a request shows', async () => {
  const columns = {
    query: 'limit=2',
    user_agent: 'bridge/1.4',
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    request_bytes: 52,
    called_by: 'imke@example.org',
    error_context: { headers: { accept: '*/*' }, problem: { code: 'not_found' } },
  };
  const { superuser } = home.plane.database;
  const set = Object.keys(columns).map((name, at) => `${name} = $${at + 2}`);
  await superuser.query(`update request_records set ${set} where request_id = $1`, [
    fromId('req', ids[0] ?? ''),
    ...Object.values(columns),
  ]);
  const one = `?requestId=${ids[0]}`;
  const lines = (await download('ndjson', one)).text;
  const { page } = await pageOf(ids[0]);
  expect(JSON.parse(lines)).toEqual(page);
  const [head = '', row = ''] = (await download('csv', one)).text.trimEnd().split('\r\n');
  expect(head.split(',').map((name) => JSON.parse(name))).toEqual(Object.keys(page));
  for (const value of Object.values(columns)) {
    const text = typeof value === 'object' ? JSON.stringify(value).replaceAll('"', '""') : String(value);
    expect([lines.includes(JSON.stringify(value)), row.includes(`"${text}"`)]).toEqual([true, true]);
  }
});

test('a CSV export has the same content, with the names of its columns', async () => {
  const { text, headers } = await download('csv');
  const rows = text.trimEnd().split('\r\n');
  expect(rows[0]).toMatch(/^"id","at","status",/);
  expect(rows.slice(1).map((row) => row.split(',')[0])).toEqual(ids.map((id) => `"${id}"`));
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
});

test('a cell that a spreadsheet would run as a formula becomes text', () => {
  const row = toRequestCsvRow({ ...exampleKept, path: '=1+1', method: '@SUM(A1)', simulated: '-2"' });
  for (const cell of [`"'=1+1"`, `"'@SUM(A1)"`, `"'-2"""`]) expect(row).toContain(cell);
});

test('an export is refused for other people and for removed members, and a wrong filter is refused before it begins', async () => {
  const stranger = (await home.newPerson()).visitor;
  for (const kind of ['csv', 'ndjson']) {
    expect((await download(kind, '', stranger)).status).toBe(404);
    expect((await download(kind, '?since=2026-01-31T23:59:60Z')).status).toBe(400);
  }
});
