// The report of `slipway ci`: which requests and deliveries it has, texts that XML and tables must escape, and the
// limit.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Delivery, RequestRecord } from '@slipway/sdk/management';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CiWorld, findFailures, writeReport } from '../src/ci-report.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-report-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const request = (id: string, status: number | null, path = '/v1/me') =>
  ({
    id,
    at: '2026-11-02T10:15:30.000Z',
    status,
    code: null,
    operationId: null,
    method: 'GET',
    path,
    simulated: null,
  }) as RequestRecord; // the fields that the report reads
const delivery = (id: string, fields: Partial<Delivery>): Delivery =>
  ({ id, createdAt: '2026-11-02T10:15:30.000Z', eventType: 'ping', lastStatus: null, ...fields }) as Delivery; // the same
const DELIVERIES = [
  delivery('dlv_1', { status: 'failed', attemptCount: 3 }),
  delivery('dlv_2', { status: 'pending', attemptCount: 1, lastStatus: 500, createdAt: '2026-11-02T10:15:31.000Z' }),
  delivery('dlv_3', { status: 'pending', attemptCount: 0 }),
  delivery('dlv_4', { status: 'succeeded', attemptCount: 2, lastStatus: 204 }),
];

async function* listOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

const world = (requests: readonly RequestRecord[]): CiWorld => ({
  api: {
    listRequests: () => listOf(requests),
    listDeliveries: ({ status }: { status: string }) => listOf(DELIVERIES.filter((one) => one.status === status)),
    getRequest: async () => ({ sent: `Bearer slw_test_${'a'.repeat(20)}` }),
    getDelivery: async () => DELIVERIES[0],
  } as unknown as CiWorld['api'], // the operations that the report calls
  consoleUrl: 'http://console.test',
  organisationId: 'org_1',
  appId: 'app_1',
});

test('the report has failed and reset requests, and deliveries with failed attempts, escaped, and no credential', async () => {
  const own = world([request('req_3', 200), request('req_2', null), request('req_1', 404, '/v1/<a>|"b"\u0000')]);
  const failures = await findFailures(own);
  await writeReport(folder, own, { command: ['npm', 'test'], exitCode: 1, appName: 'ci-1' }, failures);
  expect(readdirSync(join(folder, 'requests')).toSorted()).toEqual(['req_1.json', 'req_2.json']);
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  expect(read('requests/req_1.json')).toContain('Bearer slw_test_[redacted]');
  const page = 'http://console.test/in/org_1/apps/app_1';
  expect(read('summary.md')).toContain(
    `| 2026-11-02T10:15:30.000Z | [req_2](${page}/requests?request=req_2) | GET /v1/me | reset |`,
  );
  expect(read('summary.md')).toContain(
    `| [dlv_1](${page}/webhooks?delivery=dlv_1) | ping | failed: no response after 3 attempts |`,
  );
  expect(read('summary.md')).toContain('| ping | pending: 500 after 1 attempt |');
  expect(readdirSync(join(folder, 'deliveries'))).toHaveLength(2);
  expect(failures.deliveries.map(({ id }) => id)).toEqual(['dlv_2', 'dlv_1']);
  expect(read('summary.md')).toContain('GET /v1/<a>\\|"b"');
  expect(read('junit.xml')).toContain('name="GET /v1/&lt;a&gt;|&quot;b&quot;? req_1"><failure message="404">');
  expect(read('junit.xml')).toContain('tests="5" failures="5"');
});

test('the report names the program of the command, without its folder and arguments', async () => {
  const own = world([]);
  const command = ['/opt/tools/bin/npm', 'test', '--password=hunter2'];
  await writeReport(folder, own, { command, exitCode: 1, appName: 'ci-1' }, await findFailures(own));
  const [summary, junit] = ['summary.md', 'junit.xml'].map((path) => readFileSync(join(folder, path), 'utf8'));
  expect(summary).toContain('# `npm` ended with exit code 1\n');
  expect(junit).toContain('<testcase classname="slipway.command" name="npm">');
  expect(`${summary}${junit}`).not.toMatch(/hunter2|tools/);
});

test('the report is limited to the newest 50 requests, and says so', async () => {
  const own = world(Array.from({ length: 60 }, (_, at) => request(`req_${at}`, 500)));
  const failures = await findFailures(own);
  expect([failures.requests.length, failures.requests[0]?.id, failures.isTruncated]).toEqual([50, 'req_0', true]);
});
