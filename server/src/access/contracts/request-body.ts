// The part of a request's body that describes an object. A body can contain it in a field, such as `data`.
import type { TSchema } from '../../kit/http/schema.ts';
import { escapePointer } from '../../kit/text/json-pointer.ts';
import type { OperationDeclaration } from './operation-declaration.ts';

type DeclaredBody = Pick<OperationDeclaration, 'input'>;

const namesOf = ({ input }: DeclaredBody): string[] => input?.in?.split('.') ?? [];

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

/** Returns the values of the object in a body. */
export function objectInBody(declared: DeclaredBody, body: unknown): Readonly<Record<string, unknown>> {
  const value = namesOf(declared).reduce(fieldOf, body);
  return typeof value === 'object' && !Array.isArray(value) ? { ...value } : {};
}

/** Returns the schema of the values of the object in a body; undefined without a body. */
export function objectSchemaOf(declared: DeclaredBody): TSchema | undefined {
  const { input } = declared;
  const schema = namesOf(declared).reduce<unknown>(
    (one, name) => fieldOf(fieldOf(one, 'properties'), name),
    input?.schema,
  );
  return typeof schema === 'object' && schema !== null ? (schema as TSchema) : undefined; // a part of a checked schema
}

/** Returns the JSON Pointer of the object in a body. */
export const objectPointerOf = (declared: DeclaredBody): string =>
  namesOf(declared)
    .map((name) => `/${escapePointer(name)}`)
    .join('');

/**
 * Returns whether an operation on a collection is a search, such as `POST /orders/search`: its body selects the objects of
 * the list that it returns. An operation that creates several objects also returns a list, but has another status than 200
 * or an array as its body.
 */
export const isSearch = (
  { idName }: { idName: string },
  { effect, method, path, status, content, input }: OperationDeclaration,
): boolean =>
  !path.includes(`{${idName}}`) &&
  effect === 'action' &&
  method === 'POST' &&
  status === 200 &&
  content.of === 'list' &&
  Reflect.get(Object(input?.schema), 'type') !== 'array';
