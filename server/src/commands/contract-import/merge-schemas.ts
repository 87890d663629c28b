// Merges the schemas of `allOf` into one schema, so that an object has one list of fields.

type Schema = Record<string, unknown>;

const ANNOTATIONS = new Set(['title', 'description', 'examples', 'default', 'deprecated']);
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Returns a schema that accepts the values that all of them accept. */
export function mergeSchemas(schema: Schema, others: readonly Schema[]): Schema {
  const result: Schema = { ...schema };
  const rest = others.map((other) => mergeInto(result, other)).filter((left) => Object.keys(left).length > 0);
  if (rest.length > 0) result.allOf = [...(Array.isArray(result.allOf) ? result.allOf : []), ...rest];
  return result;
}

/** Keywords that have a meaning only together. */
const CONDITION = ['if', 'then', 'else'];

/** Adds a schema to another one. Returns the keywords that cannot be added. */
function mergeInto(result: Schema, other: Schema): Schema {
  const left: Schema = {};
  const hasCondition = CONDITION.some((name) => result[name] !== undefined);
  for (const [keyword, value] of Object.entries(other)) {
    const own = result[keyword];
    if (hasCondition && CONDITION.includes(keyword)) left[keyword] = value;
    else if (own === undefined) result[keyword] = value;
    else if (keyword === 'properties') result.properties = mergeProperties(Object(own), Object(value));
    else if (keyword === 'required')
      result.required = [...new Set([...Array.from(Object(own)), ...Array.from(Object(value))])];
    else if (keyword === 'additionalProperties') result.additionalProperties = own === false ? own : value;
    else if (!ANNOTATIONS.has(keyword) && !isSame(own, value)) left[keyword] = value;
  }
  return left;
}

function mergeProperties(own: Schema, other: Schema): Schema {
  const result = { ...own };
  for (const [name, schema] of Object.entries(other)) {
    const known = Object.hasOwn(result, name) ? result[name] : undefined;
    result[name] =
      known === undefined || isSame(known, schema) ? schema : mergeSchemas(Object(known), [Object(schema)]);
  }
  return result;
}
