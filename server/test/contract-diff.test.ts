// The comparison of contracts distinguishes changes that break clients of the released contract from changes that do
// not.
import { describe, expect, test } from 'vitest';
import { checkContract } from '../../scripts/contract-diff/check.ts';
import { breakingChanges, unversionedChanges } from '../src/kit/openapi/contract-diff.ts';
import { changed, contract, NEW, POST, THING } from './contract-diff.fixture.ts';
import { HARMLESS } from './contract-diff-harmless.fixture.ts';

const BREAKING: [title: string, changes: [string, unknown][], found: string[]][] = [
  ['an operation is removed', [['paths /things/{id}', undefined]], ['getThing: removed from GET /things/{id}']],
  ['an operation is renamed', [[`${POST} operationId`, 'makeThing']], ['createThing: is now called makeThing']],
  [
    'a scope is required',
    [[`${POST} security`, [{ key: ['things:all'] }]]],
    ['createThing security: now needs things:all'],
  ],
  ['a parameter is removed', [[`${POST} parameters`, []]], ['createThing query limit: removed']],
  [
    'a parameter is narrowed',
    [[`${POST} parameters 0 schema maximum`, 50]],
    ['createThing query limit /: maximum went from 100 to 50'],
  ],
  [
    'a default changes',
    [[`${POST} parameters 0 schema default`, 50]],
    ['createThing query limit /: the default went from 25 to 50'],
  ],
  [
    'a required parameter is new',
    [[`${POST} parameters 1`, { name: 'x', in: 'header', required: true }]],
    ['createThing header x: is new and required'],
  ],
  [
    'a parameter becomes required',
    [[`${POST} parameters 0 required`, true]],
    ['createThing query limit: is now required'],
  ],
  [
    'a value is added to a set of a response that was released as closed',
    [['components schemas Thing properties state', { type: 'string', 'x-extensible-enum': ['on', 'off', 'new'] }]],
    ['createThing response 201 /state: may now be "new"', 'getThing response 200 /state: may now be "new"'],
  ],
  ['a field of a request is removed', [[`${NEW} properties kind`, undefined]], ['createThing request /kind: removed']],
  [
    'a field of a request becomes required',
    [[`${NEW} required`, ['name', 'kind']]],
    ['createThing request /kind: is now required'],
  ],
  [
    'a required field of a request is new',
    [
      [`${NEW} properties x`, {}],
      [`${NEW} required`, ['name', 'x']],
    ],
    ['createThing request /x: is now required'],
  ],
  [
    'a value of a request is removed',
    [[`${NEW} properties kind enum`, ['a']]],
    ['createThing request /kind: the value "b" was removed'],
  ],
  [
    'the maximum length of a text in a request shrinks',
    [[`${NEW} properties name maxLength`, 40]],
    ['createThing request /name: maxLength went from 50 to 40'],
  ],
  [
    'the minimum length of a text in a request grows',
    [[`${NEW} properties name minLength`, 2]],
    ['createThing request /name: minLength went from 1 to 2'],
  ],
  [
    'a text in a request gets a pattern',
    [[`${NEW} properties name pattern`, '^a']],
    ['createThing request /name: pattern went from none to ^a'],
  ],
  [
    'a value in a request may no longer be null',
    [[`${NEW} properties note`, { type: 'string', maxLength: 9 }]],
    ['createThing request /note: no longer takes null'],
  ],
  [
    'the type of a value in a request changes',
    [[`${NEW} properties name type`, 'integer']],
    ['createThing request /name: no longer takes string'],
  ],
  [
    'a number of a request must be whole',
    [[`${NEW} properties size type`, 'integer']],
    ['createThing request /size: no longer takes number'],
  ],
  [
    'an item of a request is narrowed',
    [[`${NEW} properties marks items maxLength`, 4]],
    ['createThing request /marks/items: maxLength went from 5 to 4'],
  ],
  [
    'an open object of a request is closed',
    [[`${NEW} properties free additionalProperties`, false]],
    ['createThing request /free: other fields are no longer taken'],
  ],
  [
    'another media type is required',
    [[`${POST} requestBody content`, { 'text/plain': {} }]],
    ['createThing request application/json: no longer taken'],
  ],
  [
    'a body is required',
    [['paths /things/{id} get requestBody', { required: true, content: {} }]],
    ['getThing request: a body is now required'],
  ],
  [
    'a response has another status',
    [
      [`${POST} responses 201`, undefined],
      [`${POST} responses 202`, {}],
    ],
    ['createThing response 201: removed', 'createThing response 202: is new'],
  ],
  [
    'a header is removed',
    [[`${POST} responses 201 headers`, {}]],
    ['createThing response 201 header ETag: removed', 'getThing response 200 header ETag: removed'],
  ],
  ['a field of a response is removed', [[`${THING} properties count`, undefined]], both('/count: removed')],
  [
    'a field of a response may be missing',
    [[`${THING} required`, ['state', 'code', 'count', 'description', 'part']]],
    both('/id: may now be missing'),
  ],
  [
    'a field of a response may be null',
    [[`${THING} properties id`, { anyOf: [{ type: 'string', maxLength: 9 }, { type: 'null' }] }]],
    both('/id: may now be null'),
  ],
  [
    'the type of a value in a response changes',
    [[`${THING} properties count`, { type: 'string' }]],
    both('/count: may now be string'),
  ],
  [
    'a number in a response may be a fraction',
    [[`${THING} properties count type`, 'number']],
    both('/count: may now be number'),
  ],
  [
    'the maximum length of a text in a response grows',
    [[`${THING} properties id maxLength`, 10]],
    both('/id: maxLength went from 9 to 10'),
  ],
  [
    'a number in a response loses its maximum',
    [[`${THING} properties count maximum`, undefined]],
    both('/count: maximum went from 5 to none'),
  ],
  [
    'a closed set in a response gets a new value',
    [[`${THING} properties state enum`, ['on', 'off', 'odd']]],
    both('/state: may now be "odd"'),
  ],
  [
    'a value is removed from a closed set in a response',
    [[`${THING} properties state enum`, ['on']]],
    both('/state: the value "off" was removed'),
  ],
  ['an event type is removed', [['webhooks', {}]], ['webhook thing.made: removed']],
  [
    'a signed header is removed',
    [['webhooks thing.made post parameters', []]],
    ['webhook thing.made header webhook-id: removed'],
  ],
  [
    'an event version is removed',
    [['webhooks thing.made post requestBody content application/json schema', { $ref: '#/components/schemas/MadeV2' }]],
    ['webhook thing.made MadeV1: removed'],
  ],
  [
    'an event version changes',
    [['components schemas MadeV1 properties', {}]],
    ['webhook thing.made MadeV1 /name: removed'],
  ],
];

function both(change: string): string[] {
  return [`createThing response 201 ${change}`, `getThing response 200 ${change}`];
}

describe('changes that break the released contract', () => {
  test.each(BREAKING)('breakingChanges reports that %s', (_, changes, found) => {
    expect(breakingChanges(contract(), changed(...changes))).toEqual(found);
  });
});

describe('changes that break no client', () => {
  test.each(HARMLESS)('breakingChanges reports nothing if %s', (_, changes) => {
    expect(breakingChanges(contract(), changed(...changes))).toEqual([]);
  });
});

describe('a component that stands for a value', () => {
  const REF = { $ref: '#/components/schemas/Text' };
  const TEXT = { type: 'string', maxLength: 9 };
  const ofRequest = `${NEW} properties name`;
  const ofResponse = `${THING} properties id`;
  const found = (place: string, before: object, now: object): string[] =>
    breakingChanges(
      changed([place, REF], ['components schemas Text', before]),
      changed([place, REF], ['components schemas Text', now]),
    );

  test.each([
    ['a list of types', { ...TEXT, type: ['string', 'null'] }],
    ['oneOf', { oneOf: [TEXT, { type: 'null' }] }],
    ['a reference to another component', { $ref: '#/components/schemas/Note' }],
  ])('breakingChanges reports null in a response and no null in a request, if the component has null by %s', (_, nullable) => {
    const note: [string, unknown] = ['components schemas Note', { ...TEXT, type: ['string', 'null'] }];
    const contractWith = (place: string, text: object) =>
      changed([place, REF], ['components schemas Text', text], note);
    expect(breakingChanges(contractWith(ofResponse, TEXT), contractWith(ofResponse, nullable))).toEqual(
      both('/id: may now be null'),
    );
    expect(breakingChanges(contractWith(ofRequest, nullable), contractWith(ofRequest, TEXT))).toEqual([
      'createThing request /name: no longer takes null',
    ]);
    expect(breakingChanges(contractWith(ofRequest, TEXT), contractWith(ofRequest, nullable))).toEqual([]);
    expect(breakingChanges(contractWith(ofResponse, nullable), contractWith(ofResponse, TEXT))).toEqual([]);
  });

  test('breakingChanges reports that the component has another type or a smaller maximum', () => {
    expect(found(ofRequest, TEXT, { type: 'integer' })).toEqual([
      'createThing request /name: no longer takes Text of type string',
    ]);
    expect(found(ofResponse, TEXT, { type: 'integer' })).toEqual(both('/id: may now be Text of type integer'));
    expect(found(ofRequest, { ...TEXT, type: ['string', 'null'] }, { type: ['null', 'string'], maxLength: 8 })).toEqual(
      ['createThing request /name: maxLength went from 9 to 8'],
    );
  });

  test('a component with null equals a component next to null', () => {
    const inside = changed([ofResponse, REF], ['components schemas Text', { ...TEXT, type: ['string', 'null'] }]);
    const outside = changed([ofResponse, { oneOf: [REF, { type: 'null' }] }], ['components schemas Text', TEXT]);
    expect([breakingChanges(inside, outside), breakingChanges(outside, inside)]).toEqual([[], []]);
  });

  test('breakingChanges refuses allOf, which it cannot compare', () => {
    expect(() => found(ofRequest, TEXT, { allOf: [TEXT] })).toThrow('does not support allOf');
  });
});

describe('versions of a component', () => {
  const wider: [string, unknown] = [`${THING} properties x`, { type: 'string' }];
  const of = (...changes: [string, unknown][]): string[] =>
    unversionedChanges(contract().components, changed(...changes).components);

  test('a changed component must have a new version', () => {
    expect(of(wider)).toEqual(['Thing: changed, and is still version 1']);
    expect(of(wider, [`${THING} x-schema-version`, 2])).toEqual([]);
  });

  test('a changed description needs no new version, and a field with the name of a description does', () => {
    expect(of([`${THING} description`, 'A thing.'], [`${THING} properties id example`, 'x'])).toEqual([]);
    expect(of([`${THING} properties description`, { type: 'integer' }])).toHaveLength(1);
  });

  test('a nullable value in its other form needs no new version, and another type of the value does', () => {
    const note = (type: string): [string, unknown] => [
      `${NEW} properties note`,
      { oneOf: [{ type, maxLength: 9 }, { type: 'null' }] },
    ];
    expect(of(note('string'))).toEqual([]);
    expect(of(note('array'))).toEqual(['NewThing: changed, and is still version 1']);
  });

  test('a value that becomes a component needs no new version, and a changed value does', () => {
    const named = (maxItems: number): [string, unknown][] => [
      [`${NEW} properties marks`, { $ref: '#/components/schemas/Marks' }],
      ['components schemas Marks', { type: 'array', maxItems, items: { type: 'string', maxLength: 5 } }],
    ];
    expect(of(...named(5))).toEqual([]);
    expect(of(...named(6))).toEqual(['NewThing: changed, and is still version 1']);
  });
});

describe('declaration of a breaking change', () => {
  const now = changed([`${NEW} properties kind`, undefined], [`${NEW} x-schema-version`, 2]);
  const CHANGE = 'createThing request /kind: removed';
  const judge = (announced: `${number}-${number}-${number}`, today: string): string[] =>
    checkContract(contract(), now, today, [{ changes: [CHANGE], announced, ends: '2027-07-01' }]);

  test('a breaking change without a declaration is refused', () => {
    expect(checkContract(contract(), now, '2027-07-01')).toEqual([
      `${CHANGE} (breaks the released contract and is not declared)`,
    ]);
  });

  test('a breaking change that was announced 180 days before its end is accepted from that day on', () => {
    expect(judge('2027-01-02', '2027-07-01')).toEqual([]);
    expect(judge('2027-01-02', '2027-06-30')).toEqual([
      `${CHANGE} (may be made on 2027-07-01, when the announced period ends)`,
    ]);
  });

  test('a breaking change with a period that is a day too short is refused', () => {
    expect(judge('2027-01-03', '2027-07-01')).toEqual([`${CHANGE} (was announced 179 days before its end, not 180)`]);
  });
});
