// Generates the Go SDK's types and methods, in the format of gofmt.
import { type Declaration, type Field, type Model, type Operation, pascal, type Type, wordsOf } from './model.ts';

const INITIALISMS = new Set(['api', 'id', 'ip', 'json', 'html', 'http', 'https', 'sql', 'uri', 'url', 'uuid']);

/** Types that the SDK writes by hand: the error of a refusal has the fields of the schema. */
const BY_HAND = new Set(['Problem']);

const exported = (name: string): string =>
  wordsOf(name)
    .map((word) => (INITIALISMS.has(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');

const KEYWORDS = new Set(
  'break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var'.split(
    ' ',
  ),
);

function unexported(name: string): string {
  const [first = '', ...rest] = wordsOf(name);
  const text = first + exported(rest.join(' '));
  return KEYWORDS.has(text) ? `${text}Value` : text;
}

class Emitter {
  readonly #kinds: Map<string, Declaration>;
  readonly #events: Set<string>;

  constructor(model: Model) {
    this.#kinds = new Map(model.declarations.map((one) => [one.name, one]));
    this.#events = new Set(model.events.map(({ name }) => name));
  }

  typeOf(type: Type): string {
    switch (type.kind) {
      case 'string':
        return 'string';
      case 'boolean':
        return 'bool';
      case 'integer':
        return 'int';
      case 'number':
        return 'float64';
      case 'time':
        return 'time.Time';
      case 'any':
        return 'any';
      case 'constant':
        return typeof type.value === 'number' ? 'int' : typeof type.value === 'boolean' ? 'bool' : 'string';
      case 'list':
        return `[]${this.typeOf(type.item)}`;
      case 'map':
        return `map[string]${this.typeOf(type.item)}`;
      case 'nullable':
        return this.#hasNil(type.of) ? this.typeOf(type.of) : `*${this.typeOf(type.of)}`;
      case 'named':
        return type.name;
      case 'union':
        // Go has no unions: events have an interface, texts have a type for any text, and anything else stays JSON.
        return this.#isEvent(type) ? 'AnyEvent' : (this.#textOf(type.of) ?? 'json.RawMessage');
    }
  }

  #isEvent(type: Type): boolean {
    return type.kind === 'union' && type.of.every((one) => one.kind === 'named' && this.#events.has(one.name));
  }

  /** Returns the type of texts that all alternatives are: the set of known values, if there is one. */
  #textOf(alternatives: readonly Type[]): string | undefined {
    const types = alternatives.map((one) => this.#resolved(one));
    const isSet = (one: Type): boolean => one.kind === 'named' && this.#kinds.get(one.name)?.kind === 'values';
    if (!types.every((one) => isSet(one) || this.typeOf(one) === 'string')) return undefined;
    const sets = types.filter(isSet);
    return sets.length === 1 && sets[0] ? this.typeOf(sets[0]) : 'string';
  }

  #resolved(type: Type): Type {
    const declaration = type.kind === 'named' ? this.#kinds.get(type.name) : undefined;
    return declaration?.kind === 'alias' ? this.#resolved(declaration.type) : type;
  }

  /** Returns whether a value of the type can be absent without a pointer. */
  #hasNil(type: Type): boolean {
    return ['list', 'map', 'any', 'union'].includes(this.#resolved(type).kind);
  }

  isObject(type: Type): boolean {
    return type.kind === 'named' && this.#kinds.get(type.name)?.kind === 'object';
  }

  /** An empty string or set of values counts as absent. A number or a boolean needs a pointer: zero is a value. */
  #optional(type: Type): string {
    const resolved = this.#resolved(type);
    const whole = this.typeOf(type);
    const isText = whole === 'string' || (resolved.kind === 'named' && !this.isObject(resolved));
    return isText || this.#hasNil(type) || whole.startsWith('*') ? whole : `*${whole}`;
  }

  fieldOf({ name, type, isRequired, words }: Field): string {
    const whole = isRequired ? this.typeOf(type) : this.#optional(type);
    const tag = `\`json:"${name}${isRequired ? '' : ',omitempty'}"\``;
    return `${comment(words || `${exported(name)} is the value of \`${name}\`.`, '\t')}\t${exported(name)} ${whole} ${tag}\n`;
  }

  declarationOf(declaration: Declaration): string {
    const { name, words } = declaration;
    const doc = comment(`${name}: ${words || 'A type of the contract.'}`, '');
    switch (declaration.kind) {
      case 'object':
        return `${doc}type ${name} struct {\n${declaration.fields.map((field) => this.fieldOf(field)).join('')}}\n`;
      case 'alias':
        return `${doc}type ${name} ${this.#isEvent(declaration.type) ? '= ' : ''}${this.typeOf(declaration.type)}\n`;
      case 'values':
        return `${doc}type ${name} string\n\n${constantsOf(declaration)}`;
    }
  }

  eventOf({ name }: Model['events'][number]): string {
    const fields = ['ID', 'SchemaVersion', 'OccurredAt', 'Environment', 'AppID', 'ServerID', 'Subject', 'Sequence'];
    const given = [...fields, 'RequestID'].map((field) => `${field}: e.${field}`).join(', ');
    return `// Info returns the fields that all events have.\nfunc (e *${name}) Info() EventInfo {\n\treturn EventInfo{Type: EventType(e.Type), ${given}}\n}\n`;
  }

  #inputOf(operation: Operation): string {
    const { id, queryParameters } = operation;
    if (queryParameters.length === 0) return '';
    const name = `${exported(id)}Input`;
    const fields = queryParameters.map((one) => {
      const doc = comment(one.words || `${exported(one.name)} is a parameter.`, '\t');
      return `${doc}\t${exported(one.name)} ${this.typeOf(one.type)}\n`;
    });
    const setters = queryParameters.map((one) => {
      const field = `input.${exported(one.name)}`;
      const [isGiven, text] = this.#queryValue(one.type, field);
      return `\tif ${isGiven} {\n\t\tvalues.Set("${one.name}", ${text})\n\t}\n`;
    });
    return `// ${name} has the optional parameters of ${exported(id)}. The zero value of a field omits the parameter.\ntype ${name} struct {\n${fields.join('')}}\n\nfunc (input ${name}) values() url.Values {\n\tvalues := url.Values{}\n${setters.join('')}\treturn values\n}\n\n`;
  }

  #queryValue(type: Type, field: string): [string, string] {
    switch (this.#resolved(type).kind) {
      case 'string':
        return [`${field} != ""`, field];
      case 'named':
        return [`${field} != ""`, `string(${field})`];
      case 'integer':
        return [`${field} != 0`, `strconv.Itoa(${field})`];
      case 'boolean':
        return [field, '"true"'];
      default:
        throw new Error(`The Go SDK does not support a parameter of the type ${this.typeOf(type)}.`);
    }
  }

  operationOf(operation: Operation): string {
    const { id, words, isDeprecated, pathParameters, queryParameters, body, output, page } = operation;
    const name = exported(id);
    const option = operation.takesIdempotencyKey ? 'MutationOption' : 'CallOption';
    const parameters = [
      'ctx context.Context',
      ...pathParameters.map((one) => `${unexported(one.name)} ${this.typeOf(one.type)}`),
      ...(queryParameters.length > 0 ? [`input ${name}Input`] : []),
      ...(body ? [`body ${this.typeOf(body)}`] : []),
      `options ...${option}`,
    ].join(', ');
    const path = pathParameters.map((one) => `"${one.name}": ${unexported(one.name)}`).join(', ');
    const request = `request{path: map[string]string{${path}}${queryParameters.length > 0 ? ', query: input.values()' : ''}${body ? ', body: body' : ''}}`;
    const entry = `${unexported(id)}Operation`;
    const args = `(ctx, c, ${entry}, ${request}, options)`;
    const doc =
      comment(`${name}: ${words}`, '') + (isDeprecated ? '//\n// Deprecated: the operation ends, see its page.\n' : '');
    const method = `${doc}func (c *Client) ${name}(${parameters})`;
    const prefix = this.#inputOf(operation) + entryOf(entry, operation);
    if (page && output) {
      const types = `${this.typeOf(output)}, ${this.typeOf(page.item)}`;
      const view = pageView(page.parameter, this.typeOf(output), this.typeOf(page.item));
      return `${prefix}${method} *ListCall[${types}] {\n\treturn newListCall(ctx, c, ${entry}, ${request}, options, ${view})\n}\n`;
    }
    if (!output) return `${prefix}${method} error {\n\treturn performEmpty${args}\n}\n`;
    const returned = this.typeOf(output);
    return this.isObject(output)
      ? `${prefix}${method} (*${returned}, error) {\n\treturn performObject[${returned}]${args}\n}\n`
      : `${prefix}${method} (${returned}, error) {\n\treturn perform[${returned}]${args}\n}\n`;
  }
}

function pageView(parameter: string, page: string, item: string): string {
  const fields = parameter === 'after' ? 'page.NextAfter, page.HasMore' : 'page.NextCursor, false';
  return `func(page *${page}) view[${item}] {\n\t\treturn view[${item}]{page.Data, ${fields}}\n\t}`;
}

function entryOf(entry: string, { method, path, page, takesIdempotencyKey, isText }: Operation): string {
  const parts = [
    `method: "${method}", path: "${path}"`,
    page ? `page: "${page.parameter}"` : '',
    takesIdempotencyKey ? 'takesIdempotencyKey: true' : '',
    isText ? 'isText: true' : '',
  ];
  return `var ${entry} = operation{${parts.filter((part) => part !== '').join(', ')}}\n\n`;
}

const LINE = 110;

/** Returns a comment on lines of limited length. */
function comment(words: string, indent: string): string {
  const lines: string[] = [];
  for (const word of words.replaceAll(/\s+/g, ' ').trim().split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < LINE) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => `${indent}// ${line}\n`).join('');
}

/** Returns constants with aligned types, as gofmt aligns them. */
function constantsOf({ name, values }: Extract<Declaration, { kind: 'values' }>): string {
  const rows = values.map((value) => [name + pascal(value), JSON.stringify(value)] as const);
  const width = Math.max(...rows.map(([constant]) => constant.length));
  return `const (\n${rows.map(([constant, value]) => `\t${constant.padEnd(width)} ${name} = ${value}\n`).join('')})\n`;
}

/** Returns a file with the imports that its code uses. */
function fileOf(contractFile: string, imports: readonly string[], code: string): string {
  const uncommented = code.replaceAll(/^\s*\/\/.*$/gm, '');
  const used = imports.filter((path) => new RegExp(`\\b${path.replace(/^.*\//, '')}\\.`).test(uncommented));
  const block = used.length === 0 ? '' : `import (\n${used.map((path) => `\t"${path}"\n`).join('')})\n\n`;
  return `// Code generated from contract/${contractFile} by npm run contract. DO NOT EDIT.\n\npackage slipway\n\n${block}${code}`;
}

/** Returns the file of types. */
export function goModels(model: Model, contractFile: string): string {
  const emitter = new Emitter(model);
  const declarations = model.declarations.filter(({ name }) => !BY_HAND.has(name));
  const cases = model.events.map(
    ({ type, schemaVersion, name }) =>
      `\tcase eventKey{${JSON.stringify(type)}, ${schemaVersion}}:\n\t\treturn &${name}{}\n`,
  );
  const table = `// newEvent returns an empty event of a type in a schema version.\nfunc newEvent(key eventKey) WebhookEvent {\n\tswitch key {\n${cases.join('')}\t}\n\treturn &UnknownEvent{}\n}\n`;
  const code = [
    ...declarations.map((one) => emitter.declarationOf(one)),
    ...model.events.map((one) => emitter.eventOf(one)),
    table,
  ];
  return fileOf(contractFile, ['encoding/json', 'time'], code.join('\n'));
}

/** Returns the file of methods. */
export function goOperations(model: Model, contractFile: string): string {
  const emitter = new Emitter(model);
  const code = model.operations.map((one) => emitter.operationOf(one)).join('\n');
  return fileOf(contractFile, ['context', 'encoding/json', 'net/url', 'strconv', 'time'], code);
}
