// What a run is given, judged by the workflow's own schema.

import { memo } from '../../kit/flow/memo.ts';
import { schemaErrors, type TSchema } from '../../kit/http/schema.ts';
import type { InvalidPart } from '../../kit/openapi/problems.ts';
import type { WorkflowRow } from './workflow.ts';

const MAX_SCHEMAS = 200;
// A schema from the database is another object each time; its validator is compiled once for each text.
const schemaOf = memo((text) => JSON.parse(text) as TSchema, MAX_SCHEMAS); // TypeBox takes any JSON Schema

/** Where it does not fit; `root` is where it stands in the request. */
export function inputErrors(workflow: WorkflowRow, input: unknown, root: string): InvalidPart[] {
  return schemaErrors(schemaOf(JSON.stringify(workflow.input_schema)), input, root);
}
