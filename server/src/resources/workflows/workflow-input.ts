// What a run is given, judged by the workflow's own schema.

import { schemaErrors, type TSchema } from '../../kit/http/schema.ts';
import type { InvalidPart } from '../../kit/openapi/problems.ts';
import type { WorkflowRow } from './workflow.ts';

// A schema from the database is another object each time; its validator is compiled once for each text.
const schemas = new Map<string, TSchema>();
const MAX_SCHEMAS = 200;

/** Where it does not fit; `root` is where it stands in the request. */
export function inputErrors(workflow: WorkflowRow, input: unknown, root: string): InvalidPart[] {
  const text = JSON.stringify(workflow.input_schema);
  const schema = schemas.get(text) ?? (workflow.input_schema as TSchema); // TypeBox takes any JSON Schema
  if (schemas.size >= MAX_SCHEMAS) schemas.clear();
  schemas.set(text, schema);
  return schemaErrors(schema, input, root);
}
