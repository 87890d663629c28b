// Several nodes as `npm run nodes` starts them: they work together like one process, and all of them stop. `npm run
// prove -- nodes` runs the whole end-to-end suite on them.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlive } from '../server/src/embedded/processes.ts';
import { createInstance, NODES, type Run, type SlipwayInstance, until } from './slipway.ts';
import { ask, createTicket, listServers, type Note, readNote, signIn } from './visitor.ts';

let instance: SlipwayInstance;
let run: Run;
let note: Note;
beforeAll(async () => {
  instance = await createInstance();
  run = instance.spawn(process.execPath, NODES);
  await run.ready;
  note = readNote(instance);
});
afterAll(() => instance.remove());

test('three API nodes, two workers and a Console start and report that they are ready', () => {
  const logs = readdirSync(`${instance.dataDir}/nodes`).sort();
  expect(logs.map((name) => name.replace(/-\d\.log$/, ''))).toEqual([
    'api',
    'api',
    'api',
    'console',
    'worker',
    'worker',
  ]);
  for (const log of logs) expect(readFileSync(`${instance.dataDir}/nodes/${log}`, 'utf8')).toContain('is ready');
});

test('any node answers a request, a mutation is carried out once, and its webhook arrives', async () => {
  const key = note.key ?? '';
  const answers = await Promise.all(Array.from({ length: 6 }, () => listServers(instance, key)));
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
  const serverId = answers[0]?.body.data[0]?.id ?? '';
  const ticket = { serverId, subject: 'Through six', idempotencyKey: 'six' };
  const created: unknown[] = [];
  for (let times = 0; times < 3; times += 1) {
    const { status, body } = await createTicket(instance, key, ticket);
    created.push([status, body.id]);
  }
  expect(created).toEqual(Array(3).fill([201, expect.stringMatching(/^tkt_/)]));
  expect(created).toEqual(Array(3).fill(created[0]));
  const arrived = await until(async () => {
    const { body } = await ask<{ subject: string; timesSeen: number }[]>(`${instance.receiverUrl}/received`);
    return body.find(({ subject }) => subject === 'Through six');
  });
  expect(arrived.timesSeen).toBe(1);
});

test('on SIGTERM live tails end with a request to reconnect, and all processes stop', async () => {
  const { cookie } = await signIn(instance, note.link);
  const site = `${instance.consoleUrl}/api`;
  const headers = { cookie };
  const { body } = await ask<{ organisations: { id: string }[] }>(`${site}/session`, { headers });
  const apps = `${site}/sandbox/organisations/${body.organisations[0]?.id}/apps`;
  const list = await ask<{ data: { id: string }[] }>(apps, { headers });
  const tail = await fetch(`${apps}/${list.body.data[0]?.id}/request-tail`, { headers });
  expect(tail.status).toBe(200);
  run.child.kill('SIGTERM');
  expect(await tail.text()).toMatch(/^retry: \d+$/m);
  expect([await run.exited, run.stderr()]).toEqual([0, '']);
  expect(instance.postgres()).toBeUndefined();
  for (const url of [instance.apiUrl, instance.consoleUrl, instance.receiverUrl])
    await expect(fetch(url)).rejects.toThrow();
});

test('no node stays behind if the starting process is killed', async () => {
  run = instance.spawn(process.execPath, NODES);
  await run.ready;
  const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(run.child.pid)], { encoding: 'utf8' });
  const nodes = children
    .split('\n')
    .flatMap((line) => (/dist\/main\.js/.test(line) ? [Number.parseInt(line, 10)] : []));
  expect([nodes.length, nodes.every(isAlive)]).toEqual([6, true]);
  run.child.kill('SIGKILL');
  await until(() => !nodes.some(isAlive));
});
