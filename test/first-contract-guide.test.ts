// Runs docs/operate/first-contract.md: its files and commands as written, except for addresses, folders and the printed
// key.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyPreparedData } from './prepared-data.ts';
import { createInstance, MAIN, type Run, root, type SlipwayInstance, until } from './slipway.ts';
import { ask, readNote } from './visitor.ts';

const guide = readFileSync(join(root, 'docs/operate/first-contract.md'), 'utf8');

interface Walk {
  /** The printed lines of the commands before the start. */
  prepared: string[];
  /** The response to each command after the start. */
  responses: Record<string, unknown>[];
  /** Returns the types of the events in the feed. */
  eventTypes(): Promise<string[]>;
  post(path: string): Promise<number>;
}

/** Returns the blocks of code below a heading: the file, and the commands. */
function blocksBelow(heading: string): { file: string; name: string; commands: string[] } {
  const section = guide.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const blocks = [...section.matchAll(/^ {3}```(\S+)(?: (\S+))?\n([\s\S]*?)^ {3}```$/gm)].map(
    ([, language, name = '', code = '']) => ({ language, name, code: code.replaceAll(/^ {3}/gm, '') }),
  );
  const [file, ...others] = blocks.filter(({ language }) => language !== 'sh');
  if (!file || others.length > 0) throw new Error(`The section "${heading}" must have one file.`);
  return {
    file: file.code,
    name: file.name,
    commands: blocks.filter(({ language }) => language === 'sh').map(({ code }) => code),
  };
}

let instance: SlipwayInstance;
beforeEach(async () => {
  instance = await createInstance(copyPreparedData);
});
afterEach(() => instance.remove());

async function outputOf(run: Run): Promise<string[]> {
  expect([await run.exited, run.stderr()]).toEqual([0, '']);
  return run.stdout().trim().split('\n');
}

async function walk(heading: string, folder: string): Promise<Walk> {
  const own = join(instance.dataDir, '..', folder);
  const { file, name, commands } = blocksBelow(heading);
  const [prepare = '', start = '', call = '', ...more] = commands;
  if (more.length > 0) throw new Error('The guide must have no step that the test omits.');
  const bash = (code: string, settings: Record<string, string> = {}): Run => {
    const adapted = code
      .replaceAll(`~/${folder}/data`, instance.dataDir)
      .replaceAll(`~/${folder}`, own)
      .replaceAll('npx slipway-server', `${process.execPath} ${MAIN}`)
      .replaceAll('http://localhost:4000', instance.apiUrl);
    return instance.spawn('bash', ['--norc', '-euo', 'pipefail', '-c', adapted], settings);
  };
  mkdirSync(own);
  writeFileSync(join(own, name), file);
  const prepared = (await outputOf(bash(prepare))).map((line) => line.replaceAll(own, `~/${folder}`));
  await bash(`exec env ${start}`).ready;
  const key = readNote(instance).key ?? '';
  const responses = await outputOf(bash(call.replace('slw_test_...', key)));
  const headers = { authorization: `Bearer ${key}` };
  return {
    prepared,
    responses: responses.map((line) => JSON.parse(line)),
    eventTypes: async () => {
      const { body } = await ask<{ data: { type: string }[] }>(`${instance.apiUrl}/v1/events`, { headers });
      return body.data.map(({ type }) => type);
    },
    post: async (path) => (await ask(instance.apiUrl + path, { method: 'POST', headers })).status,
  };
}

/** Resolves when the feed and the demo receiver have these events. The feed withholds an event for a moment. */
async function expectEvents({ eventTypes }: Walk, types: readonly string[]): Promise<void> {
  await until(async () => (await eventTypes()).join() === types.join());
  await until(async () => {
    const { body } = await ask<{ type: string }[]>(`${instance.receiverUrl}/received`);
    return types.every((type) => body.some((one) => one.type === type));
  });
}

test('the guide imports a document, and its sandbox creates and returns a loan with two events', async () => {
  const walked = await walk('From an OpenAPI document to a running sandbox', 'library');
  expect(walked.prepared).toEqual([
    'openapi.yaml:35: /components/schemas/Loan/properties/status names states without transitions. In the contract, each state can follow every other one.',
    'Wrote 1 resource, 3 operations, 2 events, 3 scopes to ~/library/contract. Findings: 1.',
    'The contract lending-library is valid: 1 resource, 3 operations, 2 events, 3 scopes.',
  ]);
  const [created, returned, feed] = walked.responses;
  expect([created, returned]).toEqual([
    { id: 11, title: 'The Sea', status: 'lent' },
    { id: 11, title: 'The Sea', status: 'returned' },
  ]);
  expect(feed).toMatchObject({ data: expect.any(Array) });
  await expectEvents(walked, ['loan.created', 'loan.returned']);
});

test('the guide declares a contract, and its sandbox creates and pays an order with two events', async () => {
  const walked = await walk('From nothing to one resource with two events', 'shop');
  expect(walked.prepared).toEqual(['The contract shop is valid: 1 resource, 3 operations, 2 events, 3 scopes.']);
  const [created, paid, feed] = walked.responses;
  expect([created, paid]).toEqual([
    { id: 11, title: 'Tea', status: 'open' },
    { id: 11, title: 'Tea', status: 'paid' },
  ]);
  expect(feed).toMatchObject({ data: expect.any(Array) });
  await expectEvents(walked, ['order.created', 'order.paid']);
  expect(await walked.post('/v1/orders/11/pay')).toBe(409);
});
