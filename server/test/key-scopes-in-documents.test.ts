// Compares the scopes of each key that a document, the demo or the Console's first page makes with the calls and
// webhooks that the same text shows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { firstCall, ticketCall } from '../../console/src/kit/curl.ts';
import { FIRST_KEY_SCOPES } from '../../console/src/kit/scopes.ts';
import { filesIn, root } from '../../scripts/prose/index.ts';
import { DEMO_SCOPES, firstRunBlock } from '../src/governance/first-run/index.ts';

interface Operation {
  operationId: string;
  security: { key?: string[] }[];
}
const contract: { paths: Record<string, Record<string, Operation>> } = JSON.parse(
  readFileSync(join(root, 'contract/openapi.json'), 'utf8'),
);
const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, security }]) => ({
    operationId,
    address: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    method,
    scopes: security.flatMap(({ key = [] }) => key),
  })),
);

/** The operations of the commands of the CLI that use a key. */
const COMMANDS: Record<string, string> = {
  me: 'getMe',
  servers: 'listServers',
  events: 'listEvents',
  'tickets list': 'listTickets',
  'tickets create': 'createTicket',
};
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);

/** Returns the scopes of the keys that the text makes, by a command, a file of an app, or in the Console. */
function grantedScopes(text: string): string[] {
  const lists = [
    ...all(text, /\bkeys create\b.*? --scopes (\S+)/g),
    ...all(text, /^\s+scopes: \[(.+)\]$/gm),
    ...all(text.replaceAll('\n', ' '), /Create a key .*?with the scopes (.+?)\. /g),
  ];
  return lists.flatMap((list) => all(list, /([a-z]+:[a-z]+)/g));
}

/** Returns the operations that the text calls, by address, by a command, by an SDK, or with a fault rule. */
function calledOperations(text: string): string[] {
  const calls = all(text, /^(.*\/v1\/.*)$/gm).flatMap((line) => {
    const method = / -d |POST/.test(line) ? 'post' : 'get';
    return all(line, /(\/v1\/[\w/$<>{}.-]+)/g).flatMap((address) =>
      operations.filter((one) => one.method === method && one.address.test(address)),
    );
  });
  const words = new Set(all(text, /\.(\w+)\(/g).map((name) => name.replaceAll('_', '').toLowerCase()));
  return [
    ...calls.map(({ operationId }) => operationId),
    ...Object.entries(COMMANDS).flatMap(([command, operationId]) =>
      new RegExp(`slipway ${command}(?= |$)`, 'm').test(text) ? [operationId] : [],
    ),
    ...operations.map(({ operationId }) => operationId).filter((name) => words.has(name.toLowerCase())),
    ...all(text, /\boperationId: (\w+)$/gm),
  ];
}

/** Returns the scopes that the calls and the webhooks of the text require. */
function usedScopes(text: string): string[] {
  const called = calledOperations(text);
  const receives = /\bslipway listen\b|^endpoints:|webhook arrive|eventTypes/m.test(text);
  const scopes = operations.filter(({ operationId }) => called.includes(operationId)).flatMap((one) => one.scopes);
  return [...new Set([...scopes, ...(receives ? ['events:read'] : [])])].sort();
}

// Records of decisions and changes are no instructions. A reference lists commands without the steps around them.
const documents = [...filesIn('')].filter(
  (path) => path.endsWith('.md') && !/^(CHANGELOG|docs\/(decisions|reference|dist)\/)/.test(path),
);
const makers = documents.flatMap((path) => {
  const text = readFileSync(join(root, path), 'utf8');
  const granted = grantedScopes(text);
  return granted.length > 0 ? [{ what: path, text, granted }] : [];
});

test('finds every document that makes a key', () => {
  expect(makers.map(({ what }) => what).sort()).toEqual([
    'docs/build/app-file.md',
    'docs/build/ci.md',
    'docs/start/quickstart.md',
    'sdk-go/README.md',
    'sdk-python/README.md',
    'sdk/README.md',
  ]);
});

const API = 'http://localhost:4000';
const demo = { token: 'slw_test_0', serverId: 'srv_0' };
const SHOWN = [
  {
    what: 'the demo',
    text: firstRunBlock({ signInUrl: '', apiUrl: API, receiverUrl: undefined, demo }),
    granted: [...DEMO_SCOPES],
  },
  {
    what: 'the first page of an app',
    // Its endpoint receives the event of the ticket.
    text: `${firstCall(API, FIRST_KEY_SCOPES)}\n${ticketCall(API, 'srv_0')} eventTypes`.replaceAll(' \\\n', ' '),
    granted: [...FIRST_KEY_SCOPES],
  },
];

test.each([...makers, ...SHOWN])('$what gives its key exactly the scopes that it uses', ({ text, granted }) => {
  expect(granted.toSorted()).toEqual(usedScopes(text));
});

test.each([
  ['a call by address', 'curl https://api.example.org/v1/servers', ['servers:read']],
  ['a mutation by address', 'curl -X POST https://api.example.org/v1/servers/srv_0/tickets', ['tickets:create']],
  ['a call of an SDK', 'for page in slipway.list_events(limit=100).pages():', ['events:read']],
  ['a command', 'npx slipway tickets create srv_0', ['tickets:create']],
  ['a fault rule', 'faults:\n  - operationId: listRoadmap', ['roadmap:read']],
  ['a receiver', 'npx slipway listen --forward-to http://localhost:8080/', ['events:read']],
  ['a call without a scope', 'npx slipway me', []],
])('reads the scopes of %s', (_, text, scopes) => {
  expect(usedScopes(text)).toEqual(scopes);
});

test('reads every scope of a key that a command creates', () => {
  const command = 'npx slipway keys create --name laptop --scopes servers:read,events:read --expires-in-days 7';
  expect(grantedScopes(command)).toEqual(['servers:read', 'events:read']);
});
