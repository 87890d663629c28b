// The page of API changes lists every addition, removal and deprecation of the contract.
import { expect, test } from 'vitest';
import { changesPage } from '../../scripts/contract-diff/changes-page.ts';
import { contractChanges } from '../src/kit/openapi/contract-changes.ts';
import type { Contract } from '../src/kit/openapi/contract-diff.ts';

const operation = (operationId: string, parameters: object[] = []) =>
  ({ operationId, parameters, responses: {} }) as unknown as Contract['paths'][string][string]; // only what is compared
const BEFORE: Contract = {
  paths: { '/v1/a': { get: operation('listA') }, '/v1/old': { get: operation('listOld') } },
  webhooks: { 'a.created': { post: { ...operation('onA'), ...{ 'x-event-versions': [1] } } } },
  components: { schemas: { A: { properties: { id: {}, state: { enum: ['x'] } } } } },
};
const AFTER: Contract = {
  paths: {
    '/v1/a': { get: operation('listA', [{ name: 'state', in: 'query' }]) },
    '/v1/b': { get: operation('listB', [{ name: 'state', in: 'query' }]) },
  },
  webhooks: { 'a.created': { post: { ...operation('onA'), ...{ 'x-event-versions': [2, 1] } } } },
  components: {
    schemas: {
      A: { properties: { id: { deprecated: true }, state: { enum: ['x', 'y'] }, of: { properties: { name: {} } } } },
      B: { properties: { id: {} } },
    },
  },
};

test('the changes name new, deprecated and removed parts, without the parts of a new schema or operation', () => {
  expect(contractChanges(BEFORE, AFTER)).toEqual({
    added: [
      'Event `a.created`: schema version 2',
      'Operation `listA` (`GET /v1/a`): parameter `state` of the query',
      'Operation `listB` (`GET /v1/b`)',
      'Schema `A`: field `of.name`',
      'Schema `A`: field `of`',
      'Schema `A`: value `y` of `state`',
      'Schema `B`',
    ],
    deprecated: ['Schema `A`: field `id`'],
    removed: ['Operation `listOld` (`GET /v1/old`)'],
  });
  expect(contractChanges(AFTER, AFTER)).toEqual({ added: [], deprecated: [], removed: [] });
});

test('the page lists the earliest end first and each release', () => {
  const one = {
    id: 'one',
    title: 'One',
    replacement: 'Use two.',
    announced: '2026-01-01',
    ends: '2027-01-01',
  } as const;
  const sooner = { ...one, id: 'sooner', title: 'Sooner', ends: '2026-12-01' } as const;
  const none = { added: [], deprecated: [], removed: [] };
  const page = changesPage([one, sooner], { version: '1.1.0', ...none }, [
    { version: '1.1.0', released: '2026-06-01', ...none, added: ['Schema `B`'] },
  ]);
  expect(page.indexOf('| Sooner |')).toBeLessThan(page.indexOf('| One |'));
  expect(page).toContain('## Since 1.1.0\n\nNo change of the contract.');
  expect(page).toContain('## 1.1.0 (2026-06-01)\n\n**Added**\n\n- Schema `B`');
});
