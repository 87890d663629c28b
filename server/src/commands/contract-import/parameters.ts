// The schemas of parameters in paths and queries. A request sends each of them as one text, so a parameter is never null.
import { examplesOf } from './media-types.ts';
import type { Part } from './part.ts';
import { withFurtherExamples } from './schema-examples.ts';
import { convertSchema, type Schema } from './schemas.ts';
import { fieldsOf } from './shapes.ts';

const ALTERNATIVES = ['anyOf', 'oneOf'];
/** The most fields of a parameter. Each operation with the parameter repeats their schemas. */
const MAX_FIELDS = 100;

/**
 * Returns the schema of a parameter, with the description and the examples of the parameter. A parameter without a schema is
 * a text.
 */
export function schemaOfParameter(parameter: Part): Schema {
  const given = parameter.own('schema');
  const description = parameter.shortText('description');
  const schema = withFurtherExamples(given ? sentSchemaOf(given) : { type: 'string' }, examplesOf(parameter));
  return description === undefined ? schema : { ...schema, description };
}

/** A parameter of a query, as a request sends it. */
export interface QueryParameter {
  name: string;
  /** The part of the document with its description: the parameter, or its field. */
  part: Part;
  schema?: Part;
}

/** Returns the parameters of a query. A parameter with fields (`deepObject`) is one parameter for each field. */
export function queryParametersOf(parameters: readonly Part[]): QueryParameter[] {
  return parameters
    .filter((part) => part.text('in') === 'query')
    .flatMap((part) => {
      const fields = fieldPartsOf(part);
      const schema = part.own('schema');
      return fields.length > 0 ? fields : [{ name: part.text('name') ?? '', part, ...(schema && { schema }) }];
    });
}

function fieldPartsOf(parameter: Part): Required<QueryParameter>[] {
  const schema = parameter.text('style') === 'deepObject' ? parameter.own('schema')?.target() : undefined;
  const fields = [...(schema ? fieldsOf(schema) : [])];
  if (fields.length > MAX_FIELDS) return [];
  return fields.map(([field, part]) => ({ name: `${parameter.text('name')}[${field}]`, part, schema: part }));
}

/**
 * Returns the parameters of a request for a parameter with fields (`deepObject`), such as `filter[state]`. A field that is an
 * object or a list has none, and so has a parameter with more than MAX_FIELDS fields.
 */
export function fieldsOfParameter(parameter: Part): [name: string, schema: Schema][] {
  return fieldPartsOf(parameter).flatMap(({ name, schema }): [string, Schema][] => {
    const sent = sentSchemaOf(schema);
    const isOneText = ![sent.type].flat().some((type) => type === 'object' || type === 'array');
    return isOneText ? [[name, sent]] : [];
  });
}

/** Returns the schema of a parameter without `null`, which no request can send. */
export const sentSchemaOf = (given: Part): Schema => withoutNull(convertSchema(given, 'request'));

function withoutNull({ ...schema }: Schema): Schema {
  if (Array.isArray(schema.type)) schema.type = onlyOne(schema.type.filter((one) => one !== 'null'));
  if (Array.isArray(schema.enum)) schema.enum = schema.enum.filter((one) => one !== null);
  if (schema.default === null) delete schema.default;
  for (const name of ALTERNATIVES) {
    const all = schema[name];
    if (!Array.isArray(all)) continue;
    const others = all.filter((one) => Object(one).type !== 'null');
    const [only] = others;
    if (others.length === all.length) continue;
    if (others.length > 1) schema[name] = others;
    else delete schema[name];
    // The description next to the alternatives is about the parameter, so it replaces that of the only alternative.
    if (others.length === 1) return withoutNull({ ...Object(only), ...schema });
  }
  return schema;
}

const onlyOne = (values: unknown[]): unknown => (values.length === 1 ? values[0] : values);
