// Tests endpoints, deliveries and redeliveries on a real Console with a sandbox.
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Crane, openCrane } from './signed-out.ts';
import type { Terminal } from './terminal.ts';

let home: Crane;
let terminal: Terminal;
let keyId: string;
let endpointId: string;

beforeAll(async () => {
  home = await openCrane();
  ({ terminal, keyId } = home);
});
afterAll(() => home.close());

test('creates, tests and shows an endpoint, and trigger --wait waits for deliveries', async () => {
  const line = `endpoints create --url http://127.0.0.1:1 --key-id ${keyId} --event-types ping,ticket.created --headers x-a=b`;
  const created = (await terminal.run(line)).lines()[0] as {
    endpoint: { id: string; headerNames: string[] };
    signingSecret: string;
  };
  endpointId = created.endpoint.id;
  expect([created.endpoint.headerNames, created.signingSecret]).toEqual([['x-a'], expect.stringMatching(/^whsec_/)]);
  expect((await terminal.run(`endpoints update ${endpointId} --description Mine --json description`)).lines()).toEqual([
    { description: 'Mine' },
  ]);
  expect((await terminal.run(`endpoints test ${endpointId} --type ping --json trigger,status`)).lines()).toEqual([
    { trigger: 'test', status: 'pending' },
  ]);
  const fields = '--json isOrdered,ratePerSecond,headerNames';
  const update = async (change: string) =>
    (await terminal.run(`endpoints update ${endpointId} ${change} ${fields}`)).lines();
  expect(await update('--is-ordered --rate-per-second 5 --headers x-b=c')).toEqual([
    { isOrdered: true, ratePerSecond: 5, headerNames: ['x-a', 'x-b'] },
  ]);
  expect(await update('--no-is-ordered --no-rate-per-second --headers x-d=e --no-headers X-A,x-b')).toEqual([
    { isOrdered: false, ratePerSecond: null, headerNames: ['x-d'] },
  ]);
  // No worker sends here: the delivery is still pending after the time limit, and the exit code reports that.
  const waited = await terminal.run('trigger ticket.created --wait 0.3 --json type,deliveries');
  expect(waited).toMatchObject({
    code: 1,
    err: expect.stringContaining('not every delivery succeeded: 1 is still being tried.'),
  });
  expect(waited.lines()).toMatchObject([{ type: 'ticket.created', deliveries: [{ endpointId, status: 'pending' }] }]);
  const filter = (conditions: string) => terminal.run(['endpoints', 'update', endpointId, '--conditions', conditions]);
  await filter('[{"pointer":"/data/priority","equals":"urgent"}]');
  const filtered = await terminal.run('trigger ticket.created --set priority=low --wait --json type');
  expect([filtered.code, filtered.err]).toEqual([0, expect.stringContaining('slipway: 1 was skipped (filtered).\n')]);
  expect(await filter('[]')).toMatchObject({ code: 0 });
  expect((await terminal.run('trigger ticket.created --repeat 2 --json type')).lines()).toHaveLength(2);
  const set = ['subject=Cannot join=now', 'metadata.source=form', 'metadata.__proto__=x', 'labels=["a"]'];
  const said = await terminal.run(['trigger', 'ticket.created', '--dry-run', ...set.flatMap((one) => ['--set', one])]);
  expect(said.out).toContain(
    '"set":{"subject":"Cannot join=now","metadata":{"source":"form","__proto__":"x"},"labels":["a"]}',
  );
  for (const wrong of ['subject', '=x', 'a..b=x', 'labels=[a']) {
    expect((await terminal.run(['trigger', 'ticket.created', '--set', wrong])).code).toBe(3);
  }
  expect((await terminal.run(`deliveries list --endpoint-id ${endpointId} --limit 2`)).lines()).toHaveLength(2);
  const more = await terminal.run(`deliveries list --limit 2`, { isTerminal: true });
  expect(more.err).toBe('There are more: --limit 4\n');
  expect(more.out).toMatch(/^ID +dlv_\w{26}\n/m);
  expect(more.out).toMatch(/^Endpoint URL +http:\/\/127\.0\.0\.1:\d+\S*\n/m);
  const wide = await terminal.run(`deliveries list --limit 2`, { isTerminal: true, columns: 200 });
  expect(wide.err).toBe('There are more: --limit 4\n');
});

test('pins an endpoint to a schema version, and preview shows what another would change', async () => {
  const update = async (pin: string) =>
    (await terminal.run(`endpoints update ${endpointId} --schema-versions ${pin} --json schemaVersions`)).lines();
  const preview = `endpoints preview ${endpointId} --type ticket.created`;
  expect(await update('ticket.created=2')).toEqual([{ schemaVersions: { ping: 1, 'ticket.created': 2 } }]);
  expect(await terminal.run(preview)).toMatchObject({ code: 0, out: '', err: '' });
  // The API does not distinguish an endpoint with the newest version from one without a matching event.
  const nothing =
    /^No event to compare: .*`slipway trigger TYPE` .*\n.*, or .* pinned to the newest versions already\.\n$/;
  expect(await terminal.run(preview, { isTerminal: true })).toMatchObject({
    out: '',
    err: expect.stringMatching(nothing),
  });
  const line = `endpoints create --url http://127.0.0.1:1 --key-id ${keyId} --event-types ticket.created --schema-versions ticket.created=1`;
  const unused = (await terminal.run(`${line} --json endpoint.id`)).lines()[0]?.['endpoint.id'];
  const newer = `endpoints preview ${unused} --type ticket.created --schema-version 2`;
  expect(await terminal.run(newer, { isTerminal: true })).toMatchObject({
    out: '',
    err: expect.stringMatching(nothing),
  });
  expect(await terminal.run(newer)).toMatchObject({ code: 0, out: '', err: '' });
  expect(await terminal.run(`endpoints delete ${unused} --yes`, { isTerminal: true })).toMatchObject({
    code: 0,
    out: '',
    err: expect.stringMatching(new RegExp(`/ Crane \\(app_\\w+\\)\nDeleted ${unused}\\.\n$`)),
  });
  expect(await update('ticket.created=1 --schema-versions ping=1')).toEqual([
    { schemaVersions: { ping: 1, 'ticket.created': 1 } },
  ]);
  const [newest, ...others] = (
    await terminal.run(`${preview} --schema-version 2 --json type,pinnedVersion,schemaVersion,removed,newer.id`)
  ).lines();
  expect(newest).toMatchObject({ type: 'ticket.created', pinnedVersion: 1, schemaVersion: 2 });
  expect([newest?.removed, others.length]).toEqual([expect.arrayContaining(['/data/body']), 2]);
  const shown = await terminal.run(`endpoints preview ${endpointId}`, { isTerminal: true, columns: 300 });
  expect(shown.out).toMatch(/^TYPE +SCHEMA VERSION +ADDED .*\nticket\.created +2 +\/data\/\w/);
  expect(shown.out).toContain(String(newest?.['newer.id']));
  expect(await terminal.run(`${preview} --schema-version 3`)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('--schema-version must be newer than 1'),
  });
  expect(await terminal.run(`endpoints update ${endpointId} --schema-versions ticket.closed=1`)).toMatchObject({
    code: 1,
    err: expect.stringContaining('must be a type that the endpoint receives'),
  });
  for (const wrong of ['ticket.created', 'ticket.created=', 'ticket.created=new', 'ticket.created=0', '=1']) {
    expect(await terminal.run(`endpoints update ${endpointId} --schema-versions ${wrong}`)).toMatchObject({
      code: 3,
      err: expect.stringContaining('--schema-versions: '),
    });
  }
});

test('redelivers failed deliveries in bulk, and pauses, slows, shows and cancels the redelivery', async () => {
  const line = async (words: string) => (await terminal.run(words)).lines()[0];
  // Disabling an endpoint cancels its waiting deliveries. No worker sends here or continues a redelivery.
  await terminal.run(`endpoints update ${endpointId} --state disabled --disabled-reason moving`);
  await terminal.run(`endpoints update ${endpointId} --state enabled`);
  expect((await terminal.run('redeliveries list', { isTerminal: true })).err).toBe('Nothing found.\n');
  const all = `deliveries redeliver-all --since 1h --endpoint-id ${endpointId} --statuses cancelled`;
  expect(await line(`${all} --count-only --json total`)).toEqual({ total: 3 });
  const { id } = (await line(all)) as { id: string };
  expect(await line('redeliveries list --json id,state,total')).toEqual({ id, state: 'running', total: 3 });
  const state = '--json state,ratePerSecond';
  const paused = { state: 'paused', ratePerSecond: 100 };
  expect(await line(`redeliveries pause ${id} ${state}`)).toEqual(paused);
  expect(await line(`redeliveries set-rate ${id} --rate-per-second 5 ${state}`)).toEqual({
    ...paused,
    ratePerSecond: 5,
  });
  expect(await line(`redeliveries resume ${id} --json state`)).toEqual({ state: 'running' });
  const completed = await terminal.run(['complete', '--', 'redeliveries', 'cancel', '']);
  expect(completed.out).toBe(`${id}\trunning, 0 of 3\n`);
  const cancel = `redeliveries cancel ${id}`;
  // Text on stdout would be read as a result: that the redelivery is cancelled.
  const declined = await terminal.run(cancel, { answers: ['n'] });
  expect(declined).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/\[y\/N\] slipway: cancelled; nothing was changed\.\n$/),
  });
  expect(await terminal.run(cancel)).toMatchObject({ code: 3, err: expect.stringContaining('--yes') });
  expect(await line(`redeliveries show ${id} --json state,finishedBy`)).toEqual({
    state: 'running',
    finishedBy: null,
  });
  expect(await terminal.run(`${cancel} --yes --json state`)).toMatchObject({
    out: '{"state":"cancelled"}\n',
    err: expect.stringContaining('/ Crane (app_'),
  });
  expect(await line(`redeliveries show ${id} --json state,finishedBy,deliveries,isCountComplete`)).toEqual({
    state: 'cancelled',
    finishedBy: home.owner.person.email,
    deliveries: [],
    isCountComplete: true,
  });
  expect(await terminal.run(`redeliveries resume ${id}`)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('The redelivery job has ended: cancelled.'),
  });
  const shown = await terminal.run('redeliveries list', { isTerminal: true, columns: 200 });
  expect(shown.out).toMatch(/^ID +CREATED AT +STATE +DONE +TOTAL .*\nrdl_\w{26} +\S+ \S+ +cancelled +0 +3 +true /);
});

test('end-overlap ends the older of two signing secrets after a confirmation', async () => {
  await terminal.run(`endpoints rotate-secret ${endpointId} --yes`);
  const until = async () =>
    (await terminal.run(`endpoints show ${endpointId} --json previousSecretEndsAt`)).lines()[0]?.previousSecretEndsAt;
  const overlap = Date.parse(String(await until()));
  expect(overlap).toBeGreaterThan(Date.now());
  expect((await terminal.run(`endpoints end-overlap ${endpointId}`, { answers: [''] })).code).toBe(2);
  expect(Date.parse(String(await until()))).toBe(overlap);
  const silent = await terminal.run(`endpoints end-overlap ${endpointId} --yes`);
  expect(silent).toMatchObject({ code: 0, out: '', err: expect.not.stringContaining('Erased') });
  expect(Date.parse(String(await until()))).toBeLessThanOrEqual(Date.now());
});

test('verify reports why a signature does not match, and fails', async () => {
  const file = `${terminal.configFile}.body`;
  writeFileSync(file, '{"a":1}');
  const line = [
    'verify',
    endpointId,
    '--body-file',
    file,
    '--header',
    'webhook-id: msg_1',
    '--header',
    'webhook-timestamp: 1',
  ];
  const result = await terminal.run(line);
  expect([result.code, result.lines()[0]]).toMatchObject([
    1,
    { verifies: false, findings: [{ mistake: 'missing_header' }] },
  ]);
});
