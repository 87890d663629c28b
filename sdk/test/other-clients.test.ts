// The generator of the SDKs in other languages: from schemas of the contract to types of Python and Go.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goModels, goOperations } from '../../scripts/clients/go.ts';
import { readModel } from '../../scripts/clients/model.ts';
import { pythonModels, pythonOperations } from '../../scripts/clients/python.ts';
import type { Document } from '../../server/src/commands/contract-sdk/generate.ts';
import { root } from './installed.ts';

const text = { type: 'string' };
const object = (properties: object, required: string[] = [], more: object = {}) => ({
  type: 'object',
  properties,
  required,
  ...more,
});

function sources(schemas: object, more: object = {}): { python: string; go: string } {
  const document = { paths: {}, components: { schemas }, ...more } as unknown as Document; // only the parts that the test needs
  const model = readModel(document);
  return {
    python: pythonModels(model, 'x.json') + pythonOperations(model, 'x.json'),
    go: goModels(model, 'x.json') + goOperations(model, 'x.json'),
  };
}

test('an object becomes a dataclass and a struct with the names and optional fields of each language', () => {
  const { python, go } = sources({
    Thing: object(
      {
        thingId: { ...text, description: 'Its "id".' },
        from: { anyOf: [text, { type: 'null' }] },
        createdAt: { ...text, format: 'date-time' },
        isOld: { type: 'boolean', deprecated: true, description: 'Not used.' },
        inner: object({ count: { type: 'integer' } }),
        labels: { type: 'array', items: text },
        any: object({}, [], { additionalProperties: true }),
      },
      ['thingId', 'from', 'createdAt'],
    ),
  });
  for (const line of [
    'class Thing:',
    '    thing_id: str\n    """Its "id"."""',
    '    from_: str | None\n',
    '    created_at: datetime\n',
    '    is_old: bool | None = None\n    """Not used. Deprecated."""',
    '    inner: ThingInner | None = None',
    '    labels: list[str] | None = None',
    '    any: dict[str, Any] | None = None',
    '"thing_id": "thingId", "from_": "from"',
  ])
    expect(python).toContain(line);
  for (const line of [
    '\tThingID string `json:"thingId"`',
    '\tFrom *string `json:"from"`',
    '\tCreatedAt time.Time `json:"createdAt"`',
    '\tIsOld *bool `json:"isOld,omitempty"`',
    '\tInner *ThingInner `json:"inner,omitempty"`',
    '\tLabels []string `json:"labels,omitempty"`',
    '\tAny map[string]any `json:"any,omitempty"`',
  ])
    expect(go).toContain(line);
});

test('equal sets of values share a type, and a vague name has the name of its object', () => {
  const colour = { ...text, enum: ['red', 'dark_blue'] };
  const status = { ...text, enum: ['on', 'off'] };
  const { python, go } = sources({
    A: object({ colour, status }),
    B: object({ colour, open: { anyOf: [colour, text] } }),
  });
  expect(python).toContain('Colour = Literal[\n    "red",\n    "dark_blue",\n]');
  expect(python).toContain('AStatus = Literal[');
  expect(python.match(/= Literal\[/g)).toHaveLength(2);
  expect(python).toContain('open: Union[Colour, str] | None = None');
  expect(go).toContain('\tColourRed      Colour = "red"\n\tColourDarkBlue Colour = "dark_blue"\n');
  expect(go).toContain('\tOpen Colour `json:"open,omitempty"`');
});

test('names that cannot be fields make a map, and parts of allOf one object', () => {
  const base = object({ id: text }, ['id']);
  const { python, go } = sources({
    Base: base,
    Whole: { allOf: [{ $ref: '#/components/schemas/Base' }, object({ more: text })], description: 'Both.' },
    States: object({ 'servers:read': text, 'events:read': text }),
    User: object({ base: { allOf: [{ $ref: '#/components/schemas/Base' }], description: 'A reference.' } }, ['base']),
  });
  expect(python).toContain('States = dict[str, str]');
  expect(python).toMatch(/class Whole:\n {4}"""Both\."""\n\n {4}id: str\n {4}more: str \| None = None/);
  expect(python).toContain('    base: Base\n    """A reference."""');
  expect(go).toContain('type States map[string]string');
});

test('events are read by type and version, and an operation has its parameters', () => {
  const event = (version: number) =>
    object(
      Object.fromEntries([
        ...['id', 'occurredAt', 'environment', 'appId', 'serverId', 'subject', 'sequence', 'requestId'].map((name) => [
          name,
          text,
        ]),
        ['type', { ...text, enum: ['a.made'] }],
        ['schemaVersion', { type: 'integer', const: version }],
      ]),
    );
  const schema = { oneOf: [1, 2].map((version) => ({ $ref: `#/components/schemas/AMadeV${version}` })) };
  const body = { content: { 'application/json': { schema } } };
  const responses = {
    200: body,
    409: { content: { 'application/problem+json': { schema: text, examples: { idempotency_in_progress: {} } } } },
  };
  const { python, go } = sources(
    { AMadeV1: event(1), AMadeV2: event(2), AnEvent: schema },
    {
      webhooks: { 'a.made': { post: { requestBody: body } } },
      paths: {
        '/v1/things/{thingId}/events': {
          post: {
            operationId: 'makeEvent',
            summary: 'Make',
            description: 'One.',
            parameters: [
              { name: 'thingId', in: 'path', required: true, schema: text },
              { name: 'isDry', in: 'query', schema: { type: 'boolean' } },
            ],
            responses,
          },
        },
      },
    },
  );
  expect(python).toContain('("a.made", 2): AMadeV2,');
  expect(python).toContain('AnEvent = Union[AMadeV1, AMadeV2, UnknownEvent]');
  expect(python).toContain(
    'def make_event(self, thing_id: str, *, is_dry: bool | None = None, **options: Unpack[MutationOptions]) -> Union[AMadeV1, AMadeV2]:',
  );
  expect(go).toContain('\tcase eventKey{"a.made", 2}:\n\t\treturn &AMadeV2{}\n');
  expect(go).toContain('type AnEvent = AnyEvent');
  expect(go).toContain(
    'func (c *Client) MakeEvent(ctx context.Context, thingID string, input MakeEventInput, options ...MutationOption) (AnyEvent, error) {',
  );
});

test.each([
  ['an unsupported schema', { A: object({ a: { not: text } }) }, /does not know this schema/],
  ['a reference to nothing', { A: object({ a: { $ref: '#/components/schemas/No' } }) }, /has no #/],
  ['two types of one name', { A: object({ b: object({ c: text }) }), AB: object({ d: text }) }, /would be called AB/],
])('%s stops the generator', (_, schemas, message) => {
  expect(() => sources(schemas)).toThrow(message);
});

test('all SDKs have one version', () => {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const { version } = JSON.parse(read('sdk/package.json')) as { version: string }; // the manifest of the workspace
  expect(read('sdk-python/pyproject.toml')).toContain(`\nversion = "${version}"\n`);
  expect(read('sdk-python/src/slipway/__init__.py')).toContain(`\n__version__ = "${version}"\n`);
  expect(read('sdk-go/README.md')).toContain(`slipway.example/slipway@v${version}\n`);
});
