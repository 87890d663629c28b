// Fields that contain the identifier of the parent. The sandbox makes identifiers with the form that the parent's identity
// declares, so another pattern or a length of the document would refuse them.
import type { OperationDeclaration } from '../../access/contracts/index.ts';
import type { Plan } from './plans.ts';
import type { ResourceData } from './resources.ts';
import type { Schema } from './schemas.ts';
import { fieldsOf } from './shapes.ts';

const RULES = ['pattern', 'minLength', 'maxLength', 'format'];

/** Removes rules about the text of identifiers from the fields, bodies and queries that contain those of the parent. */
export function openParentFields(declared: ReadonlyMap<Plan, ResourceData>): void {
  for (const [plan, data] of declared) {
    const { parentField: field } = data;
    const { form, pattern } = (plan.parent && declared.get(plan.parent)?.identity) ?? {};
    const given = field === undefined ? undefined : data.fields[field];
    if (field === undefined || given === undefined || (form !== 'prefixed' && form !== 'text')) continue;
    const schema: Schema = { ...given };
    const opened = withoutRules(schema, pattern);
    if (JSON.stringify(opened) !== JSON.stringify(schema)) {
      const part = fieldsOf(plan.schema).get(field) ?? plan.schema;
      part.report(`limits the text of identifiers. The contract accepts each identifier of a ${plan.parent?.name}`);
    }
    data.fields = { ...data.fields, [field]: opened };
    for (const operation of Object.values(data.operations ?? {})) openInputs(operation, field, pattern);
  }
}

function openInputs(operation: OperationDeclaration, field: string, pattern: string | undefined): void {
  const { input, query } = operation;
  const parameter = query?.[field];
  if (query && parameter)
    operation.query = { ...query, [field]: { ...parameter, schema: withoutRules({ ...parameter.schema }, pattern) } };
  const properties: Schema = Object(Reflect.get(Object(input?.schema), 'properties'));
  if (input && Object.hasOwn(properties, field))
    operation.input = {
      ...input,
      schema: {
        ...input.schema,
        properties: { ...properties, [field]: withoutRules(Object(properties[field]), pattern) },
      },
    };
}

/**
 * Returns a copy, because a schema is shared by all references to its component. The copy keeps the pattern of the
 * identifiers.
 */
function withoutRules(schema: Schema, pattern: string | undefined): Schema {
  const isKept = (name: string, value: unknown): boolean =>
    !RULES.includes(name) || (name === 'pattern' && value === pattern);
  const entries = Object.entries(schema).filter(([name, value]) => isKept(name, value));
  return Object.fromEntries(
    entries.map(([name, value]) =>
      Array.isArray(value) && (name === 'anyOf' || name === 'oneOf')
        ? [name, value.map((one) => withoutRules(Object(one), pattern))]
        : [name, value],
    ),
  );
}
