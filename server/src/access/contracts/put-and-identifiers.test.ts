// Mistakes of a declaration about replacements that create objects, and about small sets of identifiers.
import { expect, test } from 'vitest';
import { schemaErrors } from '../../kit/http/schema.ts';
import { resource } from './contract.ts';
import { contractErrors } from './contract-errors.ts';
import type { ResourceDeclaration } from './declaration.ts';
import { identifierSpaceOf } from './identifiers.ts';
import { identitySchema } from './identity-schema.ts';
import { limitErrors } from './object-limits.ts';
import type { IdentityDeclaration, OperationDeclaration } from './operation-declaration.ts';

const FILE = 'file:///contracts/atlas.mjs';
const PUT: OperationDeclaration = {
  effect: 'replace',
  method: 'PUT',
  path: '/countries/{countryId}',
  summary: 'Put a country',
  scopes: ['countries:read'],
  status: 200,
  content: { of: 'object' },
  creates: { status: 201 },
};

function errorsOf(
  identity: Partial<IdentityDeclaration>,
  operation: Partial<OperationDeclaration> = {},
  more: Partial<ResourceDeclaration> = {},
) {
  const ofForm = { field: 'code', form: 'text', description: 'The code.', ...identity } as const;
  const country = resource<ResourceDeclaration>({
    file: FILE,
    name: 'Country',
    kind: 'country',
    plural: 'countries',
    noun: 'country',
    description: 'A country.',
    path: 'countries',
    tag: 'Countries',
    idPrefix: 'cou',
    scope: 'countries:read',
    origin: 'made',
    identity: ofForm,
    fields: {},
    example: { code: ofForm.form === 'integer' ? 4 : 'DE' },
    operations: { putCountry: { ...PUT, ...operation } },
    events: {},
    ...more,
  });
  const contract = {
    file: FILE,
    name: 'atlas',
    scopes: { 'countries:read': '', 'events:read': '' },
    keyPresets: {},
    resources: [country],
    presets: { small: { meaning: '', counts: { countries: 5 }, script: 'plain', tickMs: 1_000 } as const },
  };
  return [...contractErrors(contract), ...limitErrors(contract)];
}

test.each<[Partial<OperationDeclaration>]>([
  [{}],
  [{ creates: { status: 200 } }],
  [{ status: 204, content: { of: 'nothing' }, creates: { status: 201, content: { of: 'object' } } }],
])('a replacement with %j is valid', (operation) => {
  expect(errorsOf({}, operation)).toEqual([]);
});

test.each<[Partial<OperationDeclaration>, string]>([
  [{ effect: 'update' }, 'creates requires the effect replace, the method PUT and a path that ends with {countryId}'],
  [{ method: 'PATCH' }, 'creates requires the effect replace, the method PUT and a path that ends with {countryId}'],
  [{ path: '/countries/{countryId}/flag' }, 'creates requires the effect replace, the method PUT and a path that ends'],
  [{ creates: { status: 404 } }, 'creates.status must be from 200 to 299'],
  [{ creates: { status: 204 } }, 'creates.status must not be 204, because the response has content'],
  [{ creates: { status: 200, content: { of: 'nothing' } } }, 'creates.content must be left out'],
  [{ creates: { status: 201, content: { of: 'list', paging: { by: 'none' } } } }, 'creates.content must not be a list'],
])('a replacement with %j is refused', (operation, mistake) => {
  expect(errorsOf({}, operation)).toEqual([
    expect.stringContaining(`atlas.mjs: Country.operations.putCountry.${mistake}`),
  ]);
});

test('a replacement that creates objects that grant scopes is refused', () => {
  expect(errorsOf({}, {}, { grants: true })).toEqual([
    'atlas.mjs: Country.operations.putCountry.creates must not be declared, because the resource grants scopes.',
  ]);
});

test.each<[Partial<IdentityDeclaration>]>([
  [{ pattern: '^[A-Z]{2}$' }],
  [{ enum: ['DE', 'FR', 'IT', 'ES', 'PT'] }],
  [{ minLength: 2, maxLength: 2 }],
  [{ form: 'integer', minimum: 2, maximum: 20, multipleOf: 2 }],
])('identifiers with %j are valid', (identity) => {
  expect(errorsOf(identity)).toEqual([]);
});

test.each<[Partial<IdentityDeclaration>, string]>([
  [{ minimum: 2 }, 'Country.identity.minimum requires the form `integer`.'],
  [{ form: 'integer', maxLength: 2 }, 'Country.identity.maxLength requires the form `prefixed` or `text`.'],
  [{ maxLength: 201 }, 'Country.identity.maxLength must be at most 200.'],
  [{ form: 'integer', minimum: 9, maximum: 8 }, 'Country.identity.maximum must permit at least one number.'],
  [{ enum: ['DE', 'a/b'] }, 'Country.identity.enum has a/b, which is no identifier of the form `text`.'],
  [{ enum: ['DE', '..'] }, 'Country.identity.enum has .., which is no identifier of the form `text`.'],
  [{ enum: ['DE', 7] }, 'Country.identity.enum has 7, which is no identifier of the form `text`.'],
  [{ enum: ['DE', 'DE'] }, 'Country.identity.enum must have each identifier once.'],
  [{ pattern: '^[A-Z]{3}$', maxLength: 2 }, 'Country.identity.pattern must permit texts that have 1 to 2 characters'],
])('identifiers with %j are refused', (identity, mistake) => {
  expect(errorsOf(identity).join('\n')).toContain(`atlas.mjs: ${mistake}`);
});

test.each<[Partial<IdentityDeclaration>, number, string]>([
  [{ pattern: '^(?:DE|FR)$' }, 2, 'pattern ^(?:DE|FR)$'],
  [{ enum: ['DE', 'FR', 'IT', 'ES'] }, 4, 'enum'],
  [{ form: 'integer', minimum: 2, maximum: 5 }, 4, 'minimum 2, maximum 5'],
])('a preset with more objects than the identifiers with %j is refused', (identity, size, rules) => {
  expect(errorsOf(identity)).toEqual([
    `atlas.mjs: presets.small.counts.countries must give at most ${size} objects, the number of identifiers that Country.identity permits (${rules}), and gives 5.`,
  ]);
});

test.each<[Partial<IdentityDeclaration>]>([
  [{ form: 'integer', minimum: Number.MAX_SAFE_INTEGER - 3 }],
  [{ form: 'integer', multipleOf: 10 ** 12 }],
])('the identifiers with %j end below the highest number that clients read exactly', (identity) => {
  const { size = 0, keyAt } = identifierSpaceOf({ ...identity, form: 'integer', description: '' }) ?? {};
  const last = Number(keyAt?.(size - 1));
  expect([size > 3, Number.isSafeInteger(last), last > 0.99 * Number.MAX_SAFE_INTEGER]).toEqual([true, true, true]);
});

test('an identifier in a list of UUIDs has lower-case letters, as the server writes it', () => {
  const listed = 'AAAAAAAA-0000-4000-8000-00000000000F';
  const identity = { form: 'uuid', enum: [listed], description: '' } as const;
  const key = identifierSpaceOf(identity)?.keyAt(0);
  expect(key).toBe(listed.toLowerCase());
  expect(schemaErrors(identitySchema(identity), key)).toEqual([]);
  expect(errorsOf({ form: 'uuid', enum: [listed, listed.toLowerCase()] })).toContain(
    'atlas.mjs: Country.identity.enum must have each identifier once.',
  );
});
