// Validates the input of a run against the schema of its workflow.

import { memo } from '../../kit/flow/memo.ts';
import { schemaErrors, type TSchema } from '../../kit/http/schema.ts';
import type { InvalidPart } from '../../kit/openapi/problems.ts';
import type { WorkflowRow } from './workflow.ts';

const MAX_SCHEMAS = 200;
// The schema is parsed into a new object on each read, so the cache uses its text as the key and compiles each
// validator once.
const schemaOf = memo((text) => JSON.parse(text) as TSchema, MAX_SCHEMAS); // TypeBox takes any JSON Schema

/** Returns the invalid parts of the input. `root` is the JSON pointer of the input in the request. */
export function inputErrors(workflow: WorkflowRow, input: unknown, root: string): InvalidPart[] {
  return schemaErrors(schemaOf(JSON.stringify(workflow.input_schema)), input, root);
}
