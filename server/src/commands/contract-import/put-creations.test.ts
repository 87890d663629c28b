// PUT operations that create the object in their path.
import { expect, test } from 'vitest';
import { importDocument } from './index.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const CUP = { $ref: '#/components/schemas/Cup' };
const LID = { $ref: '#/components/schemas/Lid' };
const response = (schema?: object) => ({ description: 'Done', ...(schema && json(schema)) });
const parameter = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
const object = { type: 'object', required: ['id'], properties: { id: { type: 'string' }, name: { type: 'string' } } };

/** Imports a document whose only change of cups is a PUT with these responses, and further paths. */
function importPut(responses: object, { paths = {}, webhooks = {} }: { paths?: object; webhooks?: object } = {}) {
  const put = { operationId: 'putCup', requestBody: json(CUP), responses };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Cups', version: '1' },
    paths: {
      '/cups/{cupId}': {
        parameters: [parameter('cupId')],
        get: { operationId: 'getCup', responses: { 200: response(CUP) } },
        put,
      },
      ...paths,
    },
    webhooks,
    components: { schemas: { Cup: object, Lid: object } },
  };
  const { resources, findings } = importDocument('cups.json', JSON.stringify(document));
  const [cup] = resources;
  return { cup, put: cup?.operations?.putCup, resources, reasons: findings.map(({ reason }) => reason).join('\n') };
}

const CREATE = {
  '/cups': { post: { operationId: 'createCup', requestBody: json(CUP), responses: { 201: response(CUP) } } },
};
const ASSUMED = 'creates objects in the contract, because no other operation creates a Cup';

test.each([
  ['200 and 201', { 200: response(CUP), 201: response(CUP) }, {}, 200, { status: 201 }],
  ['200 and 201, next to a POST', { 200: response(CUP), 201: response(CUP) }, CREATE, 200, { status: 201 }],
  [
    '204 and 201 with content',
    { 201: response(CUP), 204: response() },
    {},
    204,
    { status: 201, content: { of: 'object' } },
  ],
  [
    '200 with content and 201',
    { 200: response(CUP), 201: response() },
    {},
    200,
    { status: 201, content: { of: 'nothing' } },
  ],
  ['204 and 201', { 201: response(), 204: response() }, {}, 204, { status: 201 }],
  ['201 only', { 201: response(CUP) }, {}, 201, { status: 201 }],
  ['200 only, without another creation', { 200: response(CUP) }, {}, 200, { status: 200 }],
  ['200 only, next to a POST', { 200: response(CUP) }, CREATE, 200, undefined],
  ['200 and 404', { 200: response(CUP), 404: response() }, {}, 200, undefined],
])('a PUT with %s has the statuses of a replacement and of a creation', (_, responses, paths, status, creates) => {
  const { put, cup, reasons } = importPut(responses, { paths });
  expect([put?.effect, put?.status, put?.creates]).toEqual(['replace', status, creates]);
  expect(cup?.origin).toBe(creates || paths === CREATE ? 'made' : 'seeded');
  expect(reasons.includes(ASSUMED)).toBe(creates !== undefined && !('201' in responses));
  expect(reasons).not.toContain('second successful response');
});

test('a PUT below a parent creates objects even if it declares 404, which can be about the parent', () => {
  const put = { operationId: 'putLid', requestBody: json(LID), responses: { 200: response(LID), 404: response() } };
  const parameters = [parameter('cupId'), parameter('lidId')];
  const get = { operationId: 'getLid', responses: { 200: response(LID) } };
  const { resources } = importPut(
    { 200: response(CUP) },
    { paths: { '/cups/{cupId}/lids/{lidId}': { parameters, get, put } } },
  );
  const lid = resources.find(({ name }) => name === 'Lid');
  expect([lid?.parentName, lid?.operations?.putLid?.creates]).toEqual(['Cup', { status: 200 }]);
});

test('a PUT about a part of an object creates nothing, and its second response is reported', () => {
  const put = {
    operationId: 'putHandle',
    requestBody: json(LID),
    responses: { 200: response(CUP), 201: response(CUP) },
  };
  const { cup, reasons } = importPut(
    { 200: response(CUP), 404: response() },
    { paths: { '/cups/{cupId}/handle': { parameters: [parameter('cupId')], put } } },
  );
  expect(cup?.operations?.putHandle).not.toHaveProperty('creates');
  expect(reasons).toContain('is a second successful response (201). The contract has the first');
});

test('a PUT that creates an object emits the event of creations', () => {
  const webhooks = { 'cup.created': { post: { requestBody: json(CUP), responses: {} } } };
  const { cup } = importPut({ 200: response(CUP), 201: response(CUP) }, { webhooks });
  expect(cup?.events['cup.created']).toEqual({ meaning: 'The event cup.created.', creates: true });
});

test('the header Location of the replacement is reported, and that of the creation is not', () => {
  const headers = { Location: { schema: { type: 'string' } } };
  const { reasons } = importPut({ 200: { ...response(CUP), headers }, 201: { ...response(CUP), headers } });
  expect(reasons.match(/is the header Location/g)).toHaveLength(1);
});
