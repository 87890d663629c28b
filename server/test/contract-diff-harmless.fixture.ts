// Changes of the small contract that break no client.
import { NEW, POST, THING } from './contract-diff.fixture.ts';

export const HARMLESS: [title: string, changes: [string, unknown][]][] = [
  ['nothing changes', []],
  ['an operation is new', [['paths /others', { get: { operationId: 'listOthers', responses: {} } }]]],
  ['a scope is no longer required', [[`${POST} security`, [{ key: [] }]]]],
  ['an optional parameter is new', [[`${POST} parameters 1`, { name: 'x', in: 'query', schema: {} }]]],
  ['a parameter is widened', [[`${POST} parameters 0 schema maximum`, 200]]],
  ['an optional field of a request is new', [[`${NEW} properties x`, { type: 'string' }]]],
  ['a field of a request is no longer required', [[`${NEW} required`, []]]],
  ['a request accepts a new value', [[`${NEW} properties kind enum`, ['a', 'b', 'c']]]],
  ['a request accepts any value', [[`${NEW} properties kind enum`, undefined]]],
  ['the maximum length of a text in a request grows', [[`${NEW} properties name maxLength`, 60]]],
  [
    'a value in a request may be null',
    [[`${NEW} properties name`, { anyOf: [{ type: 'string', minLength: 1, maxLength: 50 }, { type: 'null' }] }]],
  ],
  ['a response has a new field', [[`${THING} properties x`, { type: 'string' }]]],
  ['an open list has a new value', [[`${THING} properties code enum`, ['x', 'y']]]],
  [
    'a set of a response that was released as closed is open with the same values',
    [[`${THING} properties state`, { type: 'string', maxLength: 9, 'x-extensible-enum': ['on', 'off'] }]],
  ],
  ['a response allows further fields', [[`${THING} additionalProperties`, undefined]]],
  ['the maximum length of a text in a response shrinks', [[`${THING} properties id maxLength`, 8]]],
  ['a problem is new', [[`${POST} responses 429`, {}]]],
  ['a header is new', [[`${POST} responses 201 headers Link`, {}]]],
  [
    'descriptions change',
    [
      [`${THING} properties count description`, 'How many.'],
      [`${THING} description`, 'A thing.'],
    ],
  ],
  [
    'an event version is new next to the old one',
    [
      [
        'webhooks thing.made post requestBody content application/json schema',
        { anyOf: [{ $ref: '#/components/schemas/MadeV2' }, { $ref: '#/components/schemas/MadeV1' }] },
      ],
    ],
  ],
];
