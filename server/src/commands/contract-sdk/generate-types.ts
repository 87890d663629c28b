// Generates TypeScript types from JSON Schema. A schema without a TypeScript equivalent has the type `unknown`.

type Literal = string | number | boolean | null;

export interface JsonSchema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  deprecated?: boolean;
  enum?: Literal[];
  /** The known values of a set that may grow. */
  'x-extensible-enum'?: Literal[];
  /** Names that a contract declares. Another contract has others. */
  'x-contract-enum'?: string[];
  const?: Literal;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
}

/** Returns the doc comment above a declaration, on one line. */
export function doc(text: string | undefined, indent: string, isDeprecated = false): string {
  const words = [
    text?.replaceAll('*/', '* /').replaceAll(/\s*[\n\r\u2028\u2029]\s*/g, ' '),
    isDeprecated ? '@deprecated' : undefined,
  ];
  const line = words.filter((one) => one !== undefined && one !== '').join(' ');
  return line === '' ? '' : `${indent}/** ${line} */\n`;
}

export function typeOf(schema: JsonSchema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.replace('#/components/schemas/', '');
  if (schema.const !== undefined) return literal(schema.const);
  const values = schema.enum ?? schema['x-extensible-enum'];
  if (values) return values.map(literal).join(' | ');
  const names = schema['x-contract-enum'];
  if (names) return `${names.map(literal).join(' | ')} | (string & Record<never, never>)`;
  const combined = combinedType(schema, indent);
  if (combined !== undefined) return combined;
  const { type } = schema;
  if (typeof type === 'object')
    return [...new Set(type.map((one) => grouped(typeOf({ ...schema, type: one }, indent))))].join(' | ');
  const kind = type ?? (schema.properties && 'object');
  switch (kind) {
    case 'string':
    case 'boolean':
    case 'null':
      return kind;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `${grouped(typeOf(schema.items ?? {}, indent))}[]`;
    case 'object':
      return objectType(schema, indent);
    default:
      return 'unknown';
  }
}

/** Returns the type of `anyOf`, `oneOf` and `allOf` with the fields next to them; undefined without these keywords. */
function combinedType({ anyOf, oneOf, allOf, ...own }: JsonSchema, indent: string): string | undefined {
  const alternatives = (anyOf ?? oneOf)?.map((one) => typeOf(one, indent));
  const parts = [
    ...(alternatives ? [[...new Set(alternatives)].join(' | ')] : []),
    ...(allOf ?? []).map((one) => typeOf(one, indent)),
  ];
  if (parts.length === 0) return undefined;
  const all = own.properties === undefined ? parts : [typeOf(own, indent), ...parts];
  return all.length === 1 && alternatives ? all[0] : all.map(grouped).join(' & ');
}

/** Returns a value as TypeScript. A document of an operator can contain any characters and any value. */
function literal(value: unknown): string {
  if (typeof value === 'object' && value !== null) return 'unknown';
  if (typeof value !== 'string') return String(value);
  if (/[\p{Cc}\u2028\u2029]/u.test(value)) return JSON.stringify(value).replaceAll(/[\u2028\u2029]/g, escapeUnit);
  return `'${value.replaceAll(/[\\']/g, '\\$&')}'`;
}

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16)}`;

const grouped = (type: string): string => (/[|&]/.test(type) ? `(${type})` : type);

/** Returns the name of a property, in quotes unless it is an identifier. */
export const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name));

function objectType(schema: JsonSchema, indent: string): string {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) {
    const others = typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
    const inner = [...Object.values(schema.patternProperties ?? {}), ...others].map((one) => typeOf(one, indent));
    return `Record<string, ${[...new Set(inner)].join(' | ') || 'unknown'}>`;
  }
  const deeper = `${indent}  `;
  const fields = properties.map(([name, property]) => {
    const optional = schema.required?.includes(name) ? '' : '?';
    const words = doc(property.description, deeper, property.deprecated);
    return `${words}${deeper}${keyOf(name)}${optional}: ${typeOf(property, deeper)};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}
