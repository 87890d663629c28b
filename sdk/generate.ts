// The SDK's types and operation tables from an OpenAPI document. It understands the part of JSON Schema that our own
// documents use, and throws at anything else rather than guess.

interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  enum?: (string | number)[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  parameters: {
    name: string;
    in: 'path' | 'query' | 'header';
    required: boolean;
    description?: string;
    schema: Schema;
  }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const doc = (text: string | undefined, indent: string): string =>
  text ? `${indent}/** ${text.replaceAll('*/', '* /').replaceAll(/\s*\n\s*/g, ' ')} */\n` : '';

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return schema.$ref.replace('#/components/schemas/', '');
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, indent)).join(' | ');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return arrayOf(typeOf(schema.items ?? {}, indent));
    case 'object':
      return objectType(schema, indent);
    default:
      throw new Error(`The SDK's generator does not know this schema: ${JSON.stringify(schema)}`);
  }
}

const arrayOf = (inner: string): string => (/[|]/.test(inner) ? `(${inner})[]` : `${inner}[]`);

const keyOf = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name).replaceAll('"', "'");

function objectType(schema: Schema, indent: string): string {
  if (!schema.properties) {
    const [inner] = Object.values(schema.patternProperties ?? {});
    return inner ? `Record<string, ${typeOf(inner, indent)}>` : 'Record<string, unknown>';
  }
  const deeper = `${indent}  `;
  const fields = Object.entries(schema.properties).map(([name, property]) => {
    const optional = schema.required?.includes(name) ? '' : '?';
    return `${doc(property.description, deeper)}${deeper}${keyOf(name)}${optional}: ${typeOf(property, deeper)};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}

// What a request says in its headers is the client's own matter.
const inAddress = (operation: Operation): Operation['parameters'] =>
  operation.parameters.filter((parameter) => parameter.in !== 'header');

function inputOf(operation: Operation): string {
  const fields = inAddress(operation).map(
    (parameter) =>
      `${doc(parameter.description, '      ')}      ${parameter.name}${parameter.required ? '' : '?'}: ${typeOf(parameter.schema, '      ')};\n`,
  );
  const body = operation.requestBody?.content['application/json']?.schema;
  if (body) fields.push(`      body: ${typeOf(body, '      ')};\n`);
  return fields.length === 0 ? 'Record<never, never>' : `{\n${fields.join('')}    }`;
}

function outputOf(operation: Operation): string {
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
  const content = Object.values(success?.content ?? {})[0];
  return content ? typeOf(content.schema, '    ') : 'undefined';
}

/** The TypeScript source of one API. */
export function generateSource(document: Document, contractFile: string): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const types = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `${doc(schema.description, '')}${
        schema.properties
          ? `export interface ${name} ${typeOf(schema, '')}`
          : `export type ${name} = ${typeOf(schema, '')};`
      }\n`,
  );
  const signatures = operations.map(
    ({ operation }) =>
      `${doc(`${operation.summary}. ${operation.description}`, '  ')}  ${operation.operationId}: {\n    input: ${inputOf(operation)};\n    output: ${outputOf(operation)};\n  };\n`,
  );
  const table = operations.map(({ path, method, operation }) => {
    const query = operation.parameters.filter((one) => one.in === 'query').map((one) => one.name);
    return `  ${operation.operationId}: { method: '${method}', path: '${path}', query: ${JSON.stringify(query)} },\n`;
  });
  return [
    `// Generated from contract/${contractFile} by \`npm run contract\`. Do not edit.\n`,
    ...types,
    `export interface Operations {\n${signatures.join('')}}\n`,
    `export const operations = {\n${table.join('')}} as const;\n`,
  ].join('\n');
}
