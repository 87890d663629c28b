// Identifiers of parents in the fields, bodies and queries of a document with patterns for identifiers.
import { expect, test } from 'vitest';
import { importDocument } from './index.ts';

const DOCUMENT = `openapi: 3.1.0
info: { title: Workshop, version: '1' }
paths:
  /benches/{benchId}:
    get:
      parameters: [{ $ref: '#/components/parameters/Bench' }]
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Bench' } } } } }
  /benches/{benchId}/jobs:
    parameters: [{ $ref: '#/components/parameters/Bench' }]
    get:
      operationId: listJobs
      parameters: [{ name: benchId, in: query, schema: { $ref: '#/components/schemas/BenchId' } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Job' } } } } } }
    post:
      operationId: addJob
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Job' } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Job' } } } } }
components:
  parameters:
    Bench: { name: benchId, in: path, required: true, schema: { $ref: '#/components/schemas/BenchId' } }
  schemas:
    BenchId: { type: string, pattern: '^bnc_[0-9a-z]{6}$', maxLength: 10, examples: [bnc_0a1b2c] }
    Bench:
      type: object
      required: [id]
      properties: { id: { $ref: '#/components/schemas/BenchId' } }
    Job:
      type: object
      required: [id, benchId]
      properties:
        id: { type: integer }
        benchId: { anyOf: [{ $ref: '#/components/schemas/BenchId' }, { type: 'null' }] }
        spare: { $ref: '#/components/schemas/BenchId' }
`;

test('the field with the identifier of the parent has the pattern of the identifiers, also in inputs', () => {
  const { resources, findings } = importDocument('workshop.yaml', DOCUMENT);
  const [bench, job] = resources;
  const pattern = '^bnc_[0-9a-z]{6}$';
  expect(bench?.identity).toMatchObject({ form: 'prefixed', prefix: 'bnc_', pattern });
  expect(job?.parentField).toBe('benchId');
  const opened = { anyOf: [{ type: 'string', pattern, examples: ['bnc_0a1b2c'] }, { type: 'null' }] };
  expect(job?.fields.benchId).toEqual(opened);
  expect(job?.operations?.addJob?.input?.schema).toMatchObject({ properties: { benchId: opened } });
  expect(job?.operations?.listJobs?.query?.benchId?.schema).toEqual({
    type: 'string',
    pattern,
    examples: ['bnc_0a1b2c'],
  });
  expect(job?.fields.spare).toMatchObject({ pattern, maxLength: 10 });
  expect(findings.map(({ reason }) => reason)).toContain(
    'limits the text of identifiers. The contract accepts each identifier of a Bench',
  );
});

test('a pattern of which the sandbox can make no identifiers is reported and left out, also of the field of the parent', () => {
  const { resources, findings } = importDocument('workshop.yaml', DOCUMENT.replaceAll('[0-9a-z]{6}', '[0-9a-z/]{3}'));
  const [bench, job] = resources;
  expect(bench?.identity).not.toHaveProperty('pattern');
  expect(job?.fields.benchId).toEqual({ anyOf: [{ type: 'string' }, { type: 'null' }] });
  expect(findings.map(({ reason }) => reason)).toContain(
    'has a pattern of identifiers, which must not match a space, a control character, /, ? or #. The sandbox makes other identifiers',
  );
});

/** Returns the field of cells with the identifier of their hall. `parameter` is the parameter of the path of a hall. */
function parentFieldWith(parameter: { name: string; schema: object }, field: string, schema: object) {
  const content = (one: object) => ({ 'application/json': { schema: one } });
  const get = (one: object) => ({ responses: { 200: { description: 'ok', content: content(one) } } });
  const parameters = [{ ...parameter, in: 'path', required: true }];
  const object = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties });
  const items = { $ref: '#/components/schemas/Cell' };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Halls', version: '1' },
    paths: {
      [`/halls/{${parameter.name}}`]: { parameters, get: get({ $ref: '#/components/schemas/GreatRoom' }) },
      [`/halls/{${parameter.name}}/cells`]: { parameters, get: get({ type: 'array', items }) },
    },
    components: {
      schemas: {
        GreatRoom: object({ slug: { type: 'string' } }),
        Cell: object({ id: { type: 'integer' }, [field]: schema }),
      },
    },
  };
  const [, cell] = importDocument('halls.json', JSON.stringify(document)).resources;
  expect(cell?.parentName).toBe('GreatRoom');
  return cell?.parentField;
}

const text = { type: 'string' };

test.each([
  [{ name: 'hall', schema: text }, 'hall', text, 'hall'],
  [{ name: 'room', schema: text }, 'room', { type: ['string', 'null'] }, 'room'],
  [{ name: 'hallCode', schema: text }, 'hall_code', text, 'hall_code'],
  [{ name: 'hall', schema: text }, 'hall', { type: 'object' }, undefined],
  [{ name: 'hall', schema: text }, 'hall', { type: 'string', format: 'uri' }, undefined],
  [{ name: 'slug', schema: text }, 'slug', text, undefined],
])('with the parameter %j, the field %s %j contains the identifier of the parent: %s', (parameter, field, schema, own) => {
  expect(parentFieldWith(parameter, field, schema)).toBe(own);
});
