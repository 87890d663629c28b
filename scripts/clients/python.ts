// Generates the Python SDK's types and methods.
import { type Declaration, type Field, type Model, type Operation, type Type, wordsOf } from './model.ts';

const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

const snake = (name: string): string => {
  const text = wordsOf(name).join('_');
  return KEYWORDS.has(text) ? `${text}_` : text;
};

const literal = (value: string | number | boolean): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);

/** Returns a type. A union is written with `|`, which only annotations may use: they are not evaluated in this form. */
function typeOf(type: Type): string {
  switch (type.kind) {
    case 'string':
      return 'str';
    case 'boolean':
      return 'bool';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'time':
      return 'datetime';
    case 'any':
      return 'Any';
    case 'constant':
      return `Literal[${literal(type.value)}]`;
    case 'list':
      return `list[${typeOf(type.item)}]`;
    case 'map':
      return `dict[str, ${typeOf(type.item)}]`;
    case 'nullable':
      return `${typeOf(type.of)} | None`;
    case 'named':
      return type.name;
    case 'union':
      return `Union[${type.of.map(typeOf).join(', ')}]`;
  }
}

const LINE = 110;

/** Breaks words into lines. A backslash or three quotes would end the docstring. */
function docstring(words: string, indent: string): string {
  const text = words.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replaceAll(/\s+/g, ' ').trim();
  if (text === '') return '';
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < LINE - indent.length)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  const end = lines.length > 1 || text.endsWith('"') ? `\n${indent}` : '';
  return `${indent}"""${lines.join(`\n${indent}`)}${end}"""\n`;
}

function objectOf({ name, words, fields }: Extract<Declaration, { kind: 'object' }>): string {
  // Optional fields last: a reader finds the required ones first. All are passed by name.
  const sorted = [...fields.filter((one) => one.isRequired), ...fields.filter((one) => !one.isRequired)];
  const lines = sorted.map((field) => {
    const type = typeOf(field.type);
    const whole = field.isRequired ? type : `${type.replace(/ \| None$/, '')} | None = None`;
    return `    ${snake(field.name)}: ${whole}\n${docstring(field.words, '    ')}`;
  });
  const renamed = fields.filter((one) => snake(one.name) !== one.name);
  const names = renamed.map((one) => `${JSON.stringify(snake(one.name))}: ${JSON.stringify(one.name)}`).join(', ');
  const table = names === '' ? '' : `\n    _json_names: ClassVar[dict[str, str]] = {${names}}\n`;
  const doc = docstring(words, '    ');
  return `@dataclass(frozen=True, kw_only=True, slots=True)\nclass ${name}:\n${doc}${doc && '\n'}${lines.join('')}${table}`;
}

function valuesOf({ name, words, values }: Extract<Declaration, { kind: 'values' }>): string {
  return `${name} = Literal[\n${values.map((one) => `    ${literal(one)},\n`).join('')}]\n${docstring(words, '')}`;
}

function aliasOf({ name, words, type }: Extract<Declaration, { kind: 'alias' }>, events: ReadonlySet<string>): string {
  const isEvent = type.kind === 'union' && type.of.every((one) => one.kind === 'named' && events.has(one.name));
  const whole: Type = isEvent ? { kind: 'union', of: [...type.of, { kind: 'named', name: 'UnknownEvent' }] } : type;
  return `${name} = ${typeOf(whole).replace(/^(.*) \| None$/, 'Union[$1, None]')}\n${docstring(words, '')}`;
}

const headOf = (contractFile: string, words: string): string[] => [
  `# Generated from contract/${contractFile} by \`npm run contract\`. Do not edit.`,
  `${'"'.repeat(3)}${words}${'"'.repeat(3)}`,
  '',
  'from __future__ import annotations',
  '',
];

/** Returns the module of types. */
export function pythonModels({ declarations, events }: Model, contractFile: string): string {
  const kind = <Kind extends Declaration['kind']>(wanted: Kind) =>
    declarations.filter((one): one is Extract<Declaration, { kind: Kind }> => one.kind === wanted);
  const table = events.map(
    ({ type, schemaVersion, name }) => `    (${JSON.stringify(type)}, ${schemaVersion}): ${name},\n`,
  );
  const eventNames = new Set(events.map(({ name }) => name));
  const exported = [...declarations.map(({ name }) => name), 'WebhookEvent'].toSorted();
  const union = events.map(({ name }) => `    ${name},\n`).join('');
  return [
    [
      ...headOf(
        contractFile,
        'Types of the API. A newer API can return further fields, which are ignored, and further values.',
      ),
      'from dataclasses import dataclass',
      'from datetime import datetime',
      'from typing import Any, ClassVar, Literal, Union',
      '',
      'from ._events import UnknownEvent',
      '',
      '__all__ = [',
      ...exported.map((name) => `    "${name}",`),
      ']',
      '',
    ].join('\n'),
    ...kind('values').map(valuesOf),
    ...kind('object').map((one) => `\n${objectOf(one)}`),
    // Aliases are evaluated when the module is loaded, so they stand after the types that they name.
    `\n${kind('alias')
      .map((one) => aliasOf(one, eventNames))
      .join('\n')}`,
    `WebhookEvent = Union[\n${union}    UnknownEvent,\n]\n"""The content of a webhook. \`type\` and \`schema_version\` distinguish the types."""\n`,
    `EVENT_TYPES: dict[tuple[str, int], Any] = {\n${table.join('')}}\n"""The type of each event in each schema version."""\n`,
  ].join('\n');
}

const entryName = ({ id }: Operation): string => `_${snake(id).toUpperCase()}`;

/** Returns the type that the decoder reads at run time. */
const runtimeType = (type: Type | undefined): string => (type ? typeOf(type) : 'None');

function entryOf(operation: Operation): string {
  const { method, path, queryParameters, page, output } = operation;
  const query = queryParameters.map(({ name }) => JSON.stringify(name)).join(', ');
  const parts = [
    `"${method}", "${path}", ${runtimeType(output)}`,
    query && `query=(${query}${queryParameters.length === 1 ? ',' : ''})`,
    page ? `page="${page.parameter}"` : '',
    operation.takesIdempotencyKey ? 'takes_idempotency_key=True' : '',
    operation.isText ? 'is_text=True' : '',
  ];
  return `${entryName(operation)} = Entry(${parts.filter((part) => part !== '').join(', ')})\n`;
}

function parametersOf({ pathParameters, queryParameters, body, takesIdempotencyKey }: Operation): string {
  const given = ({ name, type, isRequired }: Field): string =>
    isRequired ? `${snake(name)}: ${typeOf(type)}` : `${snake(name)}: ${typeOf(type)} | None = None`;
  const parts = ['self', ...pathParameters.map(given)];
  if (body) parts.push(`body: ${typeOf(body)}`);
  if (queryParameters.length > 0) parts.push('*', ...queryParameters.map(given));
  return [...parts, `**options: Unpack[${takesIdempotencyKey ? 'MutationOptions' : 'CallOptions'}]`].join(', ');
}

function methodOf(operation: Operation, returned: string, call: string, part?: 'data'): string {
  const { id, words, isDeprecated, pathParameters, queryParameters, body, output, page } = operation;
  const whole = isDeprecated ? `${words} Deprecated.` : words;
  const input = [...pathParameters, ...queryParameters].map(({ name }) => `"${name}": ${snake(name)}`).join(', ');
  const types = page && output ? `${typeOf(output)}, ${typeOf(page.item)}` : output ? typeOf(output) : 'None';
  const args = [entryName(operation), `{${input}}`, ...(page ? [] : [body ? 'body' : 'None']), 'options'].join(', ');
  const value = call.replace('ARGS', args);
  // An annotated variable, because a type checker refuses to return an attribute of an unknown type.
  const result = part
    ? `        answer: Answer[${types}] = ${value}\n        return answer.${part}\n`
    : `        return ${value}\n`;
  return `    def ${snake(id)}(${parametersOf(operation)}) -> ${returned.replace('T', types)}:\n${docstring(whole, '        ')}${result}`;
}

function plainMethod(operation: Operation): string {
  return operation.page
    ? methodOf(operation, 'ListCall[T]', 'self._list(ARGS)')
    : methodOf(operation, 'T', 'self._perform(ARGS)', 'data');
}

function methodWithResponse(operation: Operation): string {
  const { page, output } = operation;
  if (!page || !output) return methodOf(operation, 'Answer[T]', 'self._perform(ARGS)');
  const single = { ...operation, words: `${operation.words} Returns the first page.` };
  return methodOf({ ...single, page: undefined }, 'Answer[T]', 'self._perform(ARGS)');
}

/** Returns the module of methods: those that return the value, and those that return it together with the response. */
export function pythonOperations({ operations, declarations }: Model, contractFile: string): string {
  const source = [
    operations.map(entryOf).join(''),
    `\nclass Operations(Caller):\n    """One method per operation of the contract."""\n\n${operations.map(plainMethod).join('\n')}`,
    `\nclass OperationsWithResponse(Caller):\n    """The same methods. They return the value together with status and headers of the response."""\n\n${operations.map(methodWithResponse).join('\n')}`,
  ].join('\n');
  const code = source.replaceAll(/"""[\s\S]*?"""/g, '');
  const isUsed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(code);
  const names = declarations.map(({ name }) => name).filter(isUsed);
  const typing = ['TYPE_CHECKING', ...['Any', 'Literal', 'Union'].filter(isUsed)];
  const head = [
    ...headOf(contractFile, 'Methods of the client.'),
    ...(isUsed('datetime') ? ['from datetime import datetime'] : []),
    `from typing import ${typing.join(', ')}`,
    '',
    'from ._calls import Answer, Caller, CallOptions, Entry, ListCall, MutationOptions',
    ...(names.length > 0 ? ['from .models import (', ...names.map((name) => `    ${name},`), ')'] : []),
    '',
    'if TYPE_CHECKING:',
    '    from typing_extensions import Unpack',
    '',
    '',
  ];
  return head.join('\n') + source;
}
