// Generates TypeScript types from the subset of JSON Schema that the contract uses.

export interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  deprecated?: boolean;
  enum?: (string | number)[];
  /** The known values of a set that may grow. */
  'x-extensible-enum'?: (string | number)[];
  const?: string | number | boolean | null;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
}

/** Returns the doc comment above a declaration, on one line. */
export function doc(text: string | undefined, indent: string, isDeprecated = false): string {
  const words = [text?.replaceAll('*/', '* /').replaceAll(/\s*\n\s*/g, ' '), isDeprecated ? '@deprecated' : undefined];
  const line = words.filter((one) => one !== undefined && one !== '').join(' ');
  return line === '' ? '' : `${indent}/** ${line} */\n`;
}

export function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.replace('#/components/schemas/', '');
  if (schema.const !== undefined) return literal(schema.const);
  const values = schema.enum ?? schema['x-extensible-enum'];
  if (values) return values.map(literal).join(' | ');
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return [...new Set(alternatives.map((one) => typeOf(one, indent)))].join(' | ');
  if (schema.allOf) return schema.allOf.map((one) => grouped(typeOf(one, indent))).join(' & ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `${grouped(typeOf(schema.items ?? {}, indent))}[]`;
    case 'object':
      return objectType(schema, indent);
    default:
      throw new Error(`The generator of the SDK does not know this schema: ${JSON.stringify(schema)}`);
  }
}

const literal = (value: string | number | boolean | null): string =>
  typeof value === 'string' ? `'${value.replaceAll(/[\\']/g, '\\$&')}'` : String(value);

const grouped = (type: string): string => (/[|&]/.test(type) ? `(${type})` : type);

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name));

function objectType(schema: Schema, indent: string): string {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) {
    const [inner] = Object.values(schema.patternProperties ?? {});
    return `Record<string, ${inner ? typeOf(inner, indent) : 'unknown'}>`;
  }
  const deeper = `${indent}  `;
  const fields = properties.map(([name, property]) => {
    const optional = schema.required?.includes(name) ? '' : '?';
    const words = doc(property.description, deeper, property.deprecated);
    return `${words}${deeper}${keyOf(name)}${optional}: ${typeOf(property, deeper)};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}
