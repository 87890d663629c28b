// The errors of a value that breaks a condition, as the errors of the branch that applies.
import type { TSchema } from 'typebox';
import { Errors } from 'typebox/value';
import { readPointer } from '../text/json-pointer.ts';
import { type SchemaError, schemaAt } from './union-errors.ts';

/**
 * Replaces the error of each `if` by those of its `then` or `else`. Inside `allOf`, the validator reports only that the branch
 * does not fit.
 */
export function withBranchErrors(schema: TSchema, errors: readonly SchemaError[], value: unknown): SchemaError[] {
  return errors.flatMap((error) => {
    if (error.keyword !== 'if') return [error];
    const { failingKeyword } = error.params;
    const path = `${error.schemaPath}/${failingKeyword}`;
    const isIn = ({ schemaPath }: SchemaError): boolean => schemaPath === path || schemaPath.startsWith(`${path}/`);
    if (errors.some((other) => `${other.instancePath}/`.startsWith(`${error.instancePath}/`) && isIn(other))) return [];
    const branch: TSchema = Object(Reflect.get(schemaAt(schema, error), failingKeyword));
    const part = readPointer(value, error.instancePath);
    const own = withBranchErrors(branch, Errors(branch, part), part).map((one) => ({
      ...one,
      schemaPath: path + one.schemaPath.slice(1),
      instancePath: error.instancePath + one.instancePath,
    }));
    return own.length > 0 ? own : [error];
  });
}
