// Changes of the small contract that break no client.
import { NEW, POST, THING } from './contract-diff.fixture.ts';

export const HARMLESS: [title: string, changes: [string, unknown][]][] = [
  ['nothing', []],
  ['an operation is new', [['paths /others', { get: { operationId: 'listOthers', responses: {} } }]]],
  ['a scope is no longer demanded', [[`${POST} security`, [{ key: [] }]]]],
  ['an optional parameter is new', [[`${POST} parameters 1`, { name: 'x', in: 'query', schema: {} }]]],
  ['a parameter is widened', [[`${POST} parameters 0 schema maximum`, 200]]],
  ['an optional field of a request is new', [[`${NEW} properties x`, { type: 'string' }]]],
  ['a field of a request is no longer required', [[`${NEW} required`, []]]],
  ['a request takes a new value', [[`${NEW} properties kind enum`, ['a', 'b', 'c']]]],
  ['a request takes any value', [[`${NEW} properties kind enum`, undefined]]],
  ['a request may be longer', [[`${NEW} properties name maxLength`, 60]]],
  [
    'a request may be null there',
    [[`${NEW} properties name`, { anyOf: [{ type: 'string', minLength: 1, maxLength: 50 }, { type: 'null' }] }]],
  ],
  ['an answer has a new field', [[`${THING} properties x`, { type: 'string' }]]],
  ['an open list has a new value', [[`${THING} properties code enum`, ['x', 'y']]]],
  [
    'a set of a response that was released as closed is open with the same values',
    [[`${THING} properties state`, { type: 'string', maxLength: 9, 'x-extensible-enum': ['on', 'off'] }]],
  ],
  ['a response allows further fields', [[`${THING} additionalProperties`, undefined]]],
  ['an answer is never as long', [[`${THING} properties id maxLength`, 8]]],
  ['a problem is new', [[`${POST} responses 429`, {}]]],
  ['a header is new', [[`${POST} responses 201 headers Link`, {}]]],
  [
    'words change',
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
