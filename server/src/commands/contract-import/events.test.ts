// The change that emits an event of a document: its name and the states of the resource determine the change.
import { expect, test } from 'vitest';
import { importDocument } from './index.ts';

/** Imports an event of letters that have these states. */
function importEvent(type: string, states: string[], paths: object = {}) {
  const letter = { $ref: '#/components/schemas/Letter' };
  const json = { content: { 'application/json': { schema: letter } } };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
  const post = { operationId: 'createLetter', requestBody: json, responses: { 201: json } };
  const document = {
    openapi: '3.0.3',
    info: { title: 'Letters', version: '1' },
    paths: {
      '/letters': { post },
      '/letters/{id}': { parameters, get: { operationId: 'getLetter', responses: { 200: json } } },
      ...paths,
    },
    'x-webhooks': { [type]: { post: { summary: 'Sent.', requestBody: json } } },
    components: {
      schemas: {
        Letter: { type: 'object', properties: { id: { type: 'string' }, status: { type: 'string', enum: states } } },
      },
    },
  };
  const { meaning: _, ...event } =
    importDocument('letters.json', JSON.stringify(document)).resources[0]?.events[type] ?? {};
  return event;
}

test.each([
  ['a creation, if the state is the first', 'letter.created', ['created', 'sent'], { creates: true }],
  ['an entered state, if the state is a later one', 'letter.created', ['draft', 'created'], { entering: 'created' }],
  ['a creation without such a state', 'letter.created', ['draft', 'sent'], { creates: true }],
  ['an entered state', 'letter.sent', ['created', 'sent'], { entering: 'sent' }],
  ['an entered state, if the state is the first', 'letter.sent', ['sent', 'lost'], { entering: 'sent' }],
  ['no known change', 'letter.weighed', ['created', 'sent'], {}],
])('an event reports %s: %s with %j', (_, type, states, expected) => {
  expect(importEvent(type, states)).toEqual(expected);
});

test('an event of creations reports an entered state, if no operation creates objects', () => {
  expect(importEvent('letter.created', ['created', 'sent'], { '/letters': {} })).toEqual({ entering: 'created' });
});
