// A resource whose schema has alternatives, and fields that can be null next to other schemas.
import { describe, expect, test } from 'vitest';
import { importDocument } from './index.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Imports a list of the component Payment. */
function importPayment(schemas: object, list: object = {}) {
  const schema = { type: 'array', items: ref('Payment') };
  const responses = { 200: { description: 'OK', content: { 'application/json': { schema } } } };
  const document = {
    openapi: '3.0.3',
    info: { title: 'Payments', version: '1' },
    security: [{ oauth: ['payments:read'] }],
    paths: { '/payments': { get: { operationId: 'listPayments', ...list, responses } } },
    components: { schemas, securitySchemes: { oauth: { type: 'oauth2', flows: {} } } },
  };
  const { resources, findings } = importDocument('payments.json', JSON.stringify(document));
  return { payment: resources[0], reasons: findings.map(({ pointer, reason }) => `${pointer} ${reason}`) };
}

test('a field of several alternatives accepts the values of each of them', () => {
  const alternative = (kind: string, more: object, required: string[]) => ({
    type: 'object',
    required: ['id', 'kind', ...required],
    properties: { id: { type: 'integer' }, kind: { type: 'string', enum: [kind] }, ...more },
  });
  const { payment } = importPayment({
    Payment: { oneOf: [ref('Card'), ref('Transfer')] },
    Card: alternative('card', { number: { type: 'string' }, reference: { type: 'string', maxLength: 9 } }, ['number']),
    Transfer: alternative('transfer', { reference: { type: 'integer' } }, ['reference']),
  });
  expect(payment?.fields).toMatchObject({
    kind: { type: 'string', enum: ['card', 'transfer'] },
    number: { type: 'string' },
    reference: { anyOf: [{ type: 'string', maxLength: 9 }, { type: 'integer' }] },
  });
  expect(payment?.optional).toEqual(['number', 'reference']);
  expect(payment?.alternatives).toEqual([
    {
      fields: {
        kind: { type: 'string', enum: ['card'] },
        number: { type: 'string' },
        reference: { type: 'string', maxLength: 9 },
      },
      required: ['kind', 'number'],
    },
    {
      fields: { kind: { type: 'string', enum: ['transfer'] }, reference: { type: 'integer' } },
      required: ['kind', 'reference'],
    },
  ]);
});

test('a field next to alternatives that limit its values has these values', () => {
  const alternative = (kind: string) => ({ properties: { kind: { type: 'string', enum: [kind] } } });
  const { payment } = importPayment({
    Payment: {
      type: 'object',
      properties: { id: { type: 'integer' }, kind: { type: 'string' } },
      oneOf: [alternative('card'), alternative('cash')],
    },
  });
  expect(payment?.fields.kind).toEqual({ type: 'string', enum: ['card', 'cash'] });
  expect(payment?.alternatives).toEqual(
    ['card', 'cash'].map((kind) => ({ fields: { kind: { type: 'string', enum: [kind] } } })),
  );
});

test.each([
  ['an alternative', { oneOf: [ref('Card')] }],
  ['an alternative inside `allOf`', { allOf: [ref('Method'), { properties: { paid: { type: 'boolean' } } }] }],
])('a query parameter with the name of a field of %s is not reported as a parameter without an effect', (_, schema) => {
  const parameters = ['kind', 'colour'].map((name) => ({ name, in: 'query', schema: { type: 'string' } }));
  const card = { type: 'object', properties: { id: { type: 'integer' }, kind: { type: 'string' } } };
  const { reasons } = importPayment({ Payment: schema, Method: { oneOf: [ref('Card')] }, Card: card }, { parameters });
  expect(reasons.filter((reason) => reason.includes('query parameter'))).toEqual([
    expect.stringContaining('is the query parameter colour, which is no field of Payment'),
  ]);
});

test('the fields next to alternatives keep their schemas', () => {
  const { payment } = importPayment({
    Payment: {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer' }, kind: { type: 'string', enum: ['card', 'cash'] } },
      anyOf: [
        { properties: { kind: { enum: ['card'] } } },
        { required: ['note'], properties: { note: { type: 'string' } } },
      ],
    },
  });
  expect(payment?.fields).toMatchObject({ kind: { type: 'string', enum: ['card', 'cash'] }, note: { type: 'string' } });
  expect(payment?.optional).toEqual(['kind', 'note']);
  const kind = { type: 'string', enum: ['card', 'cash'] };
  expect(payment?.alternatives).toEqual([
    { fields: { kind: { enum: ['card'] } } },
    { fields: { kind, note: { type: 'string' } }, required: ['note'] },
  ]);
});

const payer = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };

test.each([
  ['allOf', { nullable: true, allOf: [ref('Payer')] }, { type: ['object', 'null'] }],
  ['allOf and a type', { type: 'object', nullable: true, allOf: [ref('Payer')] }, { type: ['object', 'null'] }],
  ['oneOf', { nullable: true, oneOf: [ref('Payer'), { type: 'string' }] }, { oneOf: [{}, {}, { type: 'null' }] }],
  ['an enum in allOf', { nullable: true, allOf: [ref('Kind')] }, { type: ['string', 'null'], enum: ['a', 'b', null] }],
])('a field that is nullable next to %s accepts null', (_, schema, expected) => {
  const { payment, reasons } = importPayment({
    Payment: { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, payer: schema } },
    Payer: payer,
    Kind: { type: 'string', enum: ['a', 'b'] },
  });
  expect(payment?.fields.payer).toMatchObject(expected);
  expect(reasons).toEqual([]);
});

test('a nullable field whose rules exclude null is reported', () => {
  const { payment, reasons } = importPayment({
    Payment: {
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'integer' },
        payer: { nullable: true, allOf: [{ type: 'string' }], not: { enum: [null] } },
      },
    },
  });
  expect(payment?.fields.payer).toMatchObject({ type: 'string' });
  expect(reasons).toEqual([
    '/components/schemas/Payment/properties/payer is nullable, but its other rules exclude null. The contract does not accept null',
  ]);
});

describe('a base with a discriminator whose mapping names its heirs', () => {
  const heir = (more: object, required: string[]) => ({ allOf: [ref('Payment'), object(more, required)] });
  const object = (properties: object, required: string[]) => ({ type: 'object', required, properties });
  const discriminator = {
    propertyName: 'kind',
    mapping: { card: '#/components/schemas/Card', giro: 'Transfer', wire: 'Transfer' },
  };
  const base = object({ id: { type: 'integer' }, kind: { type: 'string' } }, ['id', 'kind']);
  const { payment, reasons } = importPayment(
    {
      Payment: { ...base, discriminator },
      Card: heir({ number: { type: 'string' }, refunds: ref('Payment') }, ['number']),
      Transfer: heir({ bank: { type: 'string' } }, ['bank']),
    },
    { parameters: [{ name: 'bank', in: 'query', schema: { type: 'string' } }] },
  );

  test('has the fields of its heirs, and the values of the mapping', () => {
    expect(Object.keys(payment?.fields ?? {}).sort()).toEqual(['bank', 'kind', 'number', 'refunds']);
    expect(payment?.fields.kind).toEqual({ type: 'string', enum: ['card', 'giro', 'wire'] });
    expect(payment?.optional).toEqual(expect.arrayContaining(['bank', 'number', 'refunds']));
  });

  test('has an alternative for each heir, with its values and required fields', () => {
    expect(payment?.alternatives).toMatchObject([
      { fields: { kind: { enum: ['card'] } }, required: ['kind', 'number'] },
      { fields: { kind: { enum: ['giro', 'wire'] } }, required: ['kind', 'bank'] },
    ]);
    expect(payment?.example).toMatchObject({ kind: 'card', number: expect.any(String) });
    expect(reasons.filter((one) => /discriminator|query parameter|contains itself/.test(one))).toEqual([]);
  });
});
