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
  /** The process of the start. */
  server: Run;
  key: string;
  /** Runs commands of the guide. */
  bash(code: string): Run;
  /** The printed lines of the commands before the start. */
  prepared: string[];
  /** The response to each command after the start. */
  responses: Record<string, unknown>[];
  /** Returns the types of the events in the feed. */
  eventTypes(): Promise<string[]>;
  post(path: string): Promise<number>;
}

const blocksOf = (heading: string) => {
  const section = guide.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^ {3}```(\S+)(?: (\S+))?\n([\s\S]*?)^ {3}```$/gm)].map(
    ([, language, name = '', code = '']) => ({ language, name, code: code.replaceAll(/^ {3}/gm, '') }),
  );
};

/** Returns the blocks of code below a heading: the file, and the commands. */
function blocksBelow(heading: string): { file: string; name: string; commands: string[] } {
  const blocks = blocksOf(heading);
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
  const server = bash(`exec env ${start}`);
  await server.ready;
  const key = readNote(instance).key ?? '';
  const withKey = (code: string): string => code.replace('slw_test_...', key);
  const responses = await outputOf(bash(withKey(call)));
  const headers = { authorization: `Bearer ${key}` };
  return {
    server,
    key,
    bash,
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

test('the guide adds a field, an event, an action and a resource in four commits of one file, without a breaking change', async () => {
  const { bash, server, key } = await walk('From nothing to one resource with two events', 'shop');
  const code = (language: string): string[] =>
    blocksOf('Extend the contract').flatMap((one) => (one.language === language ? [one.code] : []));
  const [keep = '', compare = '', start = '', call = '', ...more] = code('sh');
  expect(more).toEqual([]);
  server.child.kill('SIGINT');
  expect(await server.exited).toBe(0);
  const git = 'git -C ~/shop -c user.name=Guide -c user.email=guide@example.org';
  const commit = `${git} add contract.mjs\n${git} commit --quiet --message 'An addition'`;
  await outputOf(bash(`${keep}${git} init --quiet\n${commit}`));
  const added = [
    '3 operations, 2 events',
    '3 operations, 3 events',
    '4 operations, 3 events',
    '5 operations, 3 events',
  ];
  for (const [index, hunks] of code('diff').entries()) {
    const patch = `--- a/contract.mjs\n+++ b/contract.mjs\n${hunks}`;
    const apply = `${git} apply - <<'PATCH'\n${patch}PATCH\n${commit}`;
    const checked = `${apply}\n${git} show --name-only --format=\nnpx slipway-server contract check ~/shop`;
    const resources = index === 3 ? '2 resources' : '1 resource';
    const valid = `The contract shop is valid: ${resources}, ${added[index]}, 3 scopes.`;
    expect(await outputOf(bash(checked))).toEqual(['contract.mjs', valid]);
  }
  const compared = await outputOf(bash(compare));
  expect(compared.at(-1)).toBe('Breaking changes: 0.');
  expect(compared.filter((line) => !line.startsWith('added '))).toHaveLength(1);
  await bash(`exec env ${start}`).ready;
  const helper = blocksOf('From nothing to one resource with two events').find((one) => one.code.includes('call()'));
  const setUp = (helper?.code ?? '').split('\n').slice(0, 2).join('\n').replace('slw_test_...', key);
  const [noted = ''] = await outputOf(bash(`${setUp}\n${call}`));
  expect(JSON.parse(noted)).toEqual({ id: 11, title: 'Tea', status: 'paid', note: 'Milk' });
});
