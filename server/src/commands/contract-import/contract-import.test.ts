// The import of two documents: one of OpenAPI 3.1 with nested resources, actions and webhooks, one of OpenAPI 3.0.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { type ContractDeclaration, defineContract, resource } from '../../access/contracts/index.ts';
import { contractCommand } from '../contract.ts';
import { importDocument } from './index.ts';

const pathOf = (name: string): string => join(import.meta.dirname, '../../../test/openapi', name);
const read = (name: string) => importDocument(name, readFileSync(pathOf(name), 'utf8'));
const library = read('library.yaml');
const harbour = read('harbour.json');
const [branch, loan] = library.resources;
const folder = mkdtempSync(join(tmpdir(), 'slipway-import-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a document of OpenAPI 3.1', () => {
  test('gives a resource for each component that operations return, parents first', () => {
    expect(
      library.resources.map(({ name, parentName, path, parentField }) => [name, parentName, path, parentField]),
    ).toEqual([
      ['Branch', undefined, 'branches', undefined],
      ['Loan', 'Branch', 'loans', 'branch_id'],
    ]);
    expect([library.name, library.version]).toEqual(['lending-library', '2.3.0']);
  });

  test('gives the operations of objects, of lists and of actions', () => {
    const rows = Object.entries(loan?.operations ?? {}).map(([id, one]) => [
      id,
      one.effect,
      `${one.method} ${one.path}`,
      one.status,
      one.content.of,
    ]);
    expect(rows).toEqual([
      ['listLoans', 'list', 'GET /branches/{branchId}/loans', 200, 'list'],
      ['createLoan', 'create', 'POST /branches/{branchId}/loans', 201, 'object'],
      ['getLoan', 'get', 'GET /branches/{branchId}/loans/{loanId}', 200, 'object'],
      ['updateLoan', 'update', 'PATCH /branches/{branchId}/loans/{loanId}', 200, 'object'],
      ['deleteLoan', 'delete', 'DELETE /branches/{branchId}/loans/{loanId}', 204, 'nothing'],
      ['getLabel', 'action', 'GET /branches/{branchId}/loans/{loanId}/label', 200, 'file'],
      ['returnLoan', 'action', 'POST /branches/{branchId}/loans/{loanId}/return', 200, 'object'],
    ]);
  });

  test('gives lists their envelope and paging, and filters their schema', () => {
    expect(loan?.operations?.listLoans).toMatchObject({
      content: { in: 'data', paging: { by: 'cursor', parameter: 'after', limit: 'limit', next: 'paging.next_cursor' } },
      query: { status: { schema: { type: 'string', enum: ['reserved', 'lent', 'returned'] } } },
    });
    expect(branch?.operations?.listBranches?.content).toEqual({ of: 'list', paging: { by: 'none' } });
  });

  test('requires all scopes of the first requirement', () => {
    expect(loan?.operations?.createLoan?.scopes).toEqual(['loans:write', 'members:read']);
    expect([loan?.scope, branch?.scope, loan?.origin, branch?.origin]).toEqual([
      'loans:read',
      'branches:read',
      'made',
      'seeded',
    ]);
    expect(library.scopes).toEqual({
      'branches:read': 'Read branches',
      'loans:read': 'Read loans',
      'loans:write': 'Change loans',
      'members:read': 'Read members',
      'events:read': 'Read events',
    });
  });

  test('gives identifiers their field, form and examples', () => {
    expect([branch?.identity, loan?.identity]).toEqual([
      { field: 'id', form: 'integer', description: 'The identifier of the branch.', examples: [7] },
      {
        field: 'id',
        form: 'prefixed',
        prefix: 'loan_',
        pattern: '^loan_[a-z0-9]+$',
        description: 'The identifier of the loan.',
        examples: ['loan_5k2'],
      },
    ]);
  });

  test('merges the schemas of allOf, and omits fields that only requests contain', () => {
    expect(Object.keys(loan?.fields ?? {})).toEqual([
      'title',
      'branch_id',
      'status',
      'item',
      'code',
      'note',
      'replies',
    ]);
    expect(loan?.optional).toEqual(['branch_id', 'code', 'note', 'replies']);
    expect(loan?.fields.item).toMatchObject({
      oneOf: [{ properties: { kind: { const: 'book' } } }, { type: 'object' }],
    });
    expect(Object.keys(Object(loan?.operations?.createLoan?.input?.schema).properties)).toEqual([
      'title',
      'branch_id',
      'status',
      'item',
      'code',
      'pin',
      'note',
      'replies',
    ]);
    expect(Object(loan?.operations?.createLoan?.input?.schema).properties.pin).toMatchObject({ writeOnly: true });
  });

  test('leads an action and an event to the state that they are named after', () => {
    expect([loan?.stateField, loan?.states?.lent]).toEqual(['status', ['reserved', 'returned']]);
    expect(loan?.operations?.returnLoan?.becomes).toBe('returned');
    expect([loan?.events, branch?.events]).toEqual([
      { 'loan.returned': { meaning: 'The event loan.returned.', entering: 'returned' } },
      { 'branch.opened': { meaning: 'A branch opened' } },
    ]);
  });

  test('has the first fitting example as its example', () => {
    expect(loan?.example).toMatchObject({ id: 'loan_5k2', title: 'The Sea', item: { kind: 'book', pages: 312 } });
    expect(branch?.example).toEqual({ id: 7, name: 'text' });
  });

  test('lists each part that the contract cannot express, with its line', () => {
    expect(library.findings.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
      '3 has the path /api/v2. Slipway serves the contract under /v1, and production sends requests to your API under /v1',
      '6 begin with /api/v2. The contract mounts them under /v1',
      '35 is the header X-Audit, which the contract does not check',
      '47 accepts one of several sets of scopes. The contract requires the first: loans:write and members:read',
      '53 is the scope https://library.example/auth/desk.lend, which is called desk:lend in the contract',
      '67 is an example that does not fit Loan. The contract leaves it out',
      '71 is the path parameter loan_id, which is called loanId in the contract',
      '92 is the path parameter loan_id, which is called loanId in the contract',
      '96 is the callback receipt. Webhooks of an endpoint replace callbacks',
      '102 is the path parameter loan_id, which is called loanId in the contract',
      '103 returns a file (application/pdf). The contract declares its types, and at most 5242880 bytes',
      '109 is a body of multipart/form-data. The contract takes JSON only, and leaves the operation out',
      '110 is a resource without an operation of the contract. The contract leaves it out',
      '112 names no object. The contract has it as an action of Branch, which changes no object in the sandbox',
      '121 is the event branch.opened in the contract',
      '121 has a payload of its own. The data of the event is a Branch, in the platform’s envelope',
      '121 names no change of Branch that the contract knows. Only a trigger emits the event. To emit it with a change, set `creates`, `changes`, `deletes` or `entering` in the module of Branch',
      '129 is a webhook about no resource of the contract. The contract leaves it out',
      '134 is the path parameter branch_id, which is called branchId in the contract',
      '152 refers to regions.yaml#/Region, which is outside the document. It is not fetched',
      '166 names states without transitions. In the contract, each state can follow every other one',
      '171 is a discriminator. The contract checks the alternatives without it',
      '172 is a pattern that has nested or too many repetitions, which can take exponential time. The contract does not check it',
      '175 has the name of a property that every object has. The contract leaves the field out',
      '177 contains itself. The contract checks the first level only',
    ]);
    expect(library.findings[4]?.pointer).toBe('/paths/~1api~1v2~1branches~1{branch_id}~1loans/post/security/1/desk/0');
  });
});

describe('a document of OpenAPI 3.0', () => {
  const [vessel, event] = harbour.resources;

  test('gives schemas in the form of JSON Schema 2020-12', () => {
    expect(vessel?.fields).toMatchObject({
      length: { type: 'number', exclusiveMinimum: 0 },
      flag: { type: ['string', 'null'], enum: ['GB', 'PA', null] },
      built_on: { type: 'string', format: 'date' },
    });
    expect(vessel?.example).toEqual({ imo: '9811000', name: 'Ever Tall', length: 399.9, flag: null });
  });

  test('gives envelopes, pages, an identifier that its parameter names, and operations without operationId', () => {
    expect(vessel?.identity).toMatchObject({ field: 'imo', form: 'text' });
    expect(Object.entries(vessel?.operations ?? {}).map(([id, one]) => [id, one.content])).toEqual([
      [
        'listVesselRecord',
        {
          of: 'list',
          in: 'vessels',
          type: 'application/vnd.api+json',
          paging: { by: 'page', parameter: 'page[number]', limit: 'page[size]' },
          around: {
            schema: { type: 'object', properties: { vessels: { type: 'array' }, meta: { type: 'object' } } },
          },
        },
      ],
      ['getVesselRecord', { of: 'object', in: 'data' }],
      ['replaceVesselRecord', { of: 'nothing' }],
    ]);
  });

  test('renames paths, schemas and scopes of the platform, and reports it', () => {
    expect([event?.name, event?.path, event?.scope]).toEqual([
      'EventObject',
      'harbour-berths-events',
      'event_objects:read',
    ]);
    expect(harbour.findings.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
      '10 is the query parameter where, whose form the contract cannot express',
      '20 is a field next to vessels. The responses of the contract have a value that is made from its schema',
      '33 is the path parameter imo, which is called vesselRecordId in the contract',
      '57 creates objects in the contract, because no other operation creates a VesselRecord. If the operation only replaces objects, remove `creates` in the module of VesselRecord',
      '58 is the path parameter imo, which is called vesselRecordId in the contract',
      '59 is an optional body, but its schema refuses an empty object. The contract requires the body',
      '66 has a path that the platform uses. Its path in the contract is /harbour-berths-events',
      '66 is called listEvents2 in the contract',
      '82 name no scopes for some operations. The contract has a scope for reads and one for changes of each resource',
      '82 is the security scheme key. Keys of the platform replace the header X-Key, as Bearer tokens',
      '84 is called VesselRecord in the contract',
      '89 is an example that does not fit its schema. The contract leaves it out',
      '95 is called EventObject in the contract',
    ]);
  });
});

test('an object in the path of a list or a creation of the same resource is a parameter, and is reported', () => {
  const ok = (schema: object) => ({ description: 'OK', content: { 'application/json': { schema } } });
  const task = { $ref: '#/components/schemas/Task' };
  const body = { content: { 'application/json': { schema: task } } };
  const parameter = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'integer' } });
  const get = { responses: { 200: ok(task) } };
  const list = { responses: { 200: ok({ type: 'array', items: task }) } };
  const create = { requestBody: body, responses: { 201: ok(task) } };
  const nested = [parameter('taskId'), parameter('subtaskId')];
  const document = {
    openapi: '3.1.0',
    info: { title: 'Tasks', version: '1' },
    paths: {
      '/tasks': { get: list, post: create },
      '/tasks/{taskId}': { parameters: [parameter('taskId')], get },
      '/tasks/{taskId}/subtasks': { parameters: [parameter('taskId')], get: list, post: create },
      '/tasks/{taskId}/subtasks/{subtaskId}': { parameters: nested, get },
    },
    components: {
      schemas: {
        Task: {
          type: 'object',
          required: ['id', 'name'],
          properties: { id: { type: 'integer' }, name: { type: 'string', maxLength: 60 } },
        },
      },
    },
  };
  const imported = importDocument('tasks.json', JSON.stringify(document));
  const [one, ...others] = imported.resources;
  expect(others).toEqual([]);
  const rows = Object.values(one?.operations ?? {}).map(({ effect, method, path, params = {} }) => [
    `${effect} ${method} ${path}`,
    Object.keys(params),
  ]);
  expect(rows).toEqual([
    ['list GET /tasks', []],
    ['create POST /tasks', []],
    ['get GET /tasks/{taskId}', []],
    ['list GET /tasks/{taskId2}/subtasks', ['taskId2']],
    ['create POST /tasks/{taskId2}/subtasks', ['taskId2']],
    ['get GET /tasks/{taskId2}/subtasks/{taskId}', ['taskId2']],
  ]);
  const reported = imported.findings.filter(({ reason }) => reason.includes('names another task than the operation'));
  expect(reported).toHaveLength(3);
});

describe('slipway-server contract import', () => {
  const run = async (...args: string[]): Promise<string[]> => {
    const lines: string[] = [];
    const unused: never = undefined as never; // the command reads no configuration
    await contractCommand(args, { config: unused, lifetime: unused, log: unused, print: (line) => lines.push(line) });
    return lines;
  };

  test('writes modules that declare the contract', async () => {
    const out = join(folder, 'library');
    const lines = await run('import', pathOf('library.yaml'), '--out', out);
    expect(lines).toHaveLength(26);
    expect(lines[1]).toBe('library.yaml:6: /paths begin with /api/v2. The contract mounts them under /v1.');
    expect(lines.at(-1)).toBe(`Wrote 2 resources, 10 operations, 2 events, 5 scopes to ${out}. Findings: 25.`);
    const module = await import(pathToFileURL(join(out, 'contract.mjs')).href);
    const contract: ContractDeclaration = module.default({ defineContract, resource });
    expect(contract.resources.map(({ name, parent }) => [name, parent?.name])).toEqual([
      ['Branch', undefined],
      ['Loan', 'Branch'],
    ]);
    expect(contract.resources[1]?.operations).toEqual(loan?.operations);
    expect(contract.resources[1]?.file).toMatch(/resources\/loan\.mjs$/);
  });

  test('overwrites no file', async () => {
    const out = join(folder, 'twice');
    await run('import', pathOf('harbour.json'), '--out', out);
    await expect(run('import', pathOf('harbour.json'), '--out', out)).rejects.toThrow('must be empty or new');
  });

  test.each([
    [['import', 'missing.yaml', '--out', 'x'], 'The document cannot be read'],
    [['import', pathOf('harbour.json')], '--out is missing'],
    [['export'], 'There is no command "contract export"'],
  ])('refuses %j', async (args, message) => {
    await expect(run(...args)).rejects.toThrow(message);
  });
});
