// Mistakes in the parts of a declaration that describe an API with its own form (operation-declaration.ts).
import { MAX_LIMIT } from '../../kit/http/page.ts';
import { schemaErrorsOnce, type TSchema } from '../../kit/http/schema.ts';
import type { AnyResource } from './declaration.ts';
import { fieldAt, PAGE_VALUES, type ResponseEnvelope } from './envelope.ts';
import { exampleOf } from './example-value.ts';
import { checkReach } from './granting-resource.ts';
import { identifiersOf } from './identifiers.ts';
import { MAX_ID_LENGTH } from './identity-pattern.ts';
import { identitySchema, listedIdentifiers } from './identity-schema.ts';
import type { Content, IdentityDeclaration, OperationDeclaration, Paging } from './operation-declaration.ts';
import { objectSchemaOf } from './request-body.ts';
import { isInherited, isReservedOperation, isReservedPath } from './reserved-names.ts';
import { unsafeParts } from './schema-errors.ts';

type Report = (field: string, detail: string) => void;

const OPERATION = /^[A-Za-z][A-Za-z0-9_]{0,79}$/;
/** A name can end with the verb of a custom method, such as `records:batch`. */
const NAME = /[A-Za-z0-9][A-Za-z0-9._-]{0,79}(?::[A-Za-z][A-Za-z0-9_-]{0,39})?/.source;
const PATH = new RegExp(`^(?:/(?:${NAME}|\\{[A-Za-z][A-Za-z0-9]{0,49}\\}))+$`);
const PATH_NAME = new RegExp(`^${NAME}$`);
/** Parameters and fields of an API with its own form. */
const WIRE_NAME = /^[A-Za-z_$@][A-Za-z0-9_$@.:[\]-]{0,99}$/;
/** The media types of JSON in addition to `application/json`. */
const JSON_TYPE = /^application\/[a-z0-9][a-z0-9.-]{0,79}\+json$/;
/** The media types of files, which are sent as a header. */
const FILE_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}(?:;\s?[\w-]{1,40}=[\w.-]{1,80}){0,5}$/;
const ID_PREFIX = /^[A-Za-z]{1,20}[_-]$/;
const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** Returns whether a path can have a name as one of its parts. */
export const isPathName = (name: string): boolean => PATH_NAME.test(name);

export const isJsonType = (type: string): boolean => JSON_TYPE.test(type);

export const isFileType = (type: string): boolean => FILE_TYPE.test(type);

/** A client finds a name such as `constructor` in each of its inputs. */
export const isWireName = (name: string): boolean => WIRE_NAME.test(name) && !isInherited(name);

/** Returns whether a path names a field inside an object, such as `meta.next`. */
const isFieldPath = (path: string): boolean => path.split('.').every(isWireName);

export function checkIdentity({ identity, fields }: AnyResource, report: Report): void {
  if (!identity) return;
  const { form, field, prefix }: IdentityDeclaration = identity;
  if (!['prefixed', 'uuid', 'integer', 'text'].includes(form))
    report('identity.form', 'must be prefixed, uuid, integer or text');
  if ((form === 'prefixed') !== (prefix !== undefined))
    report('identity.prefix', 'is required with the form `prefixed`, and belongs to no other form');
  if (prefix !== undefined && !ID_PREFIX.test(prefix)) report('identity.prefix', 'must be like `ord_`');
  const hasText = form === 'prefixed' || form === 'text';
  for (const rule of ['pattern', 'minLength', 'maxLength'] as const)
    if (identity[rule] !== undefined && !hasText) report(`identity.${rule}`, 'requires the form `prefixed` or `text`');
  for (const rule of ['minimum', 'maximum', 'multipleOf'] as const)
    if (identity[rule] !== undefined && form !== 'integer') report(`identity.${rule}`, 'requires the form `integer`');
  checkRules(identity, report);
  if (field !== undefined && !isWireName(field)) report('identity.field', 'must be the name of a field');
  if (field !== undefined && Object.hasOwn(fields, field))
    report(`fields.${field}`, 'must not be declared, because `identity` declares it');
}

/** Reports rules that no identifier can keep. */
function checkRules(identity: IdentityDeclaration, report: Report): void {
  const { form, maxLength = MAX_ID_LENGTH, enum: values } = identity;
  if (maxLength > MAX_ID_LENGTH) report('identity.maxLength', `must be at most ${MAX_ID_LENGTH}`);
  const source = identifiersOf(identity);
  if (source.by === 'none') report(`identity.${source.field}`, source.error);
  if (source.by === 'none' || !values) return;
  const { enum: _, ...rules } = identity;
  const schema = identitySchema(rules);
  const wrong = values.find((one) => ['.', '..'].includes(String(one)) || schemaErrorsOnce(schema, one).length > 0);
  if (wrong !== undefined) report('identity.enum', `has ${wrong}, which is no identifier of the form \`${form}\``);
  if (new Set(listedIdentifiers(identity)).size < values.length)
    report('identity.enum', 'must have each identifier once');
}

export function checkOperations(one: AnyResource, scopes: Readonly<Record<string, string>>, report: Report): void {
  for (const [id, operation] of Object.entries(one.operations ?? {})) {
    const reportIn: Report = (field, detail) => report(`operations.${id}.${field}`, detail);
    if (!OPERATION.test(id)) report(`operations['${id}']`, 'must be named like `listOrders`');
    if (isReservedOperation(id)) report(`operations.${id}`, `must not be named ${id}, which the platform uses`);
    checkPath(one, operation, reportIn);
    checkReach(one, operation, reportIn);
    if (operation.scopes.length === 0) reportIn('scopes', 'must name at least one scope');
    for (const scope of operation.scopes) {
      if (!Object.hasOwn(scopes, scope)) reportIn('scopes', `names ${scope}, which the contract does not declare`);
    }
    checkInputs(operation, reportIn);
    checkContent(operation, reportIn);
    checkCreates(one, operation, reportIn);
    if (operation.content.of === 'list') checkPaging(operation, operation.content, reportIn);
    const { becomes } = operation;
    if (becomes !== undefined && !Object.hasOwn(one.states ?? {}, becomes))
      reportIn('becomes', `is ${becomes}, which is no state`);
  }
}

function checkPath(
  one: AnyResource,
  { path, effect, method, params = {} }: OperationDeclaration,
  report: Report,
): void {
  if (!PATH.test(path)) {
    report('path', 'must be like `/orders/{orderId}/cancel`');
    return;
  }
  const [first = '', ...rest] = path.slice(1).split('/');
  if (isReservedPath(first)) report('path', `must not begin with ${first}, which the platform uses`);
  const known = new Set<string>(Object.keys(params));
  for (const [name, { schema }] of Object.entries(params)) reportSchema(schema, `params['${name}']`, report);
  for (let next: AnyResource | undefined = one; next && !known.has(next.idName); next = next.parent)
    known.add(next.idName);
  const names = [first, ...rest].filter((part) => part.startsWith('{')).map((part) => part.slice(1, -1));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    report(
      'path',
      `has {${unknown}}, which is neither an identifier of the resource or a parent nor declared in params`,
    );
  if (new Set(names).size < names.length) report('path', 'must not contain a parameter twice');
  const needsObject = ['get', 'update', 'replace', 'delete'].includes(effect);
  if (needsObject && !names.includes(one.idName))
    report('path', `requires {${one.idName}}, because the operation is about one object`);
  // `/tasks/{taskId}/subtasks` lists or creates other tasks than the one in the path.
  const own = `{${one.idName}}`;
  const isOfOthers = effect === 'list' || (effect === 'create' && !path.endsWith(own));
  if (isOfOthers && path.includes(own) && !Object.hasOwn(params, one.idName))
    report('path', `has ${own}, which must be declared in params, because it identifies another ${one.noun}`);
  const methods = { list: ['GET'], get: ['GET'], create: ['POST', 'PUT'], delete: ['DELETE'] };
  const allowed =
    effect in methods ? methods[effect as keyof typeof methods] : ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
  if (!allowed.includes(method)) report('method', `must be ${allowed.join(' or ')}`);
}

function checkInputs({ query = {}, input }: OperationDeclaration, report: Report): void {
  for (const [name, { schema }] of Object.entries(query)) {
    if (!isWireName(name)) report(`query['${name}']`, 'must be the name of a parameter');
    reportSchema(schema, `query['${name}']`, report);
  }
  if (!input) return;
  reportSchema(input.schema, 'input', report);
  checkType(input, 'input', report);
  if (input.in !== undefined && (!isFieldPath(input.in) || !objectSchemaOf({ input })))
    report('input.in', 'must be the name of a field of the body, or the path of one like `data.order`');
}

function checkType({ type }: { type?: string | undefined }, part: 'input' | 'content', report: Report): void {
  if (type !== undefined && !isJsonType(type))
    report(
      `${part}.type`,
      'must be a media type such as `application/merge-patch+json`. Leave it out for `application/json`',
    );
}

function checkCreates(
  { idName }: AnyResource,
  { creates, effect, method, path, status, content }: OperationDeclaration,
  report: Report,
): void {
  if (!creates) return;
  if (effect !== 'replace' || method !== 'PUT' || !path.endsWith(`/{${idName}}`))
    report('creates', `requires the effect replace, the method PUT and a path that ends with {${idName}}`);
  if (creates.status === status && creates.content)
    report('creates.content', 'must be left out, because `creates.status` is the status of the operation');
  if (creates.content?.of === 'list') report('creates.content', 'must not be a list, because one object is created');
  checkContent({ content, ...creates }, (field, detail) => report(`creates.${field}`, detail));
}

function checkContent({ content, status }: Pick<OperationDeclaration, 'content' | 'status'>, report: Report): void {
  if (!Number.isInteger(status) || status < 200 || status > 299) report('status', 'must be from 200 to 299');
  if (status === 204 && content.of !== 'nothing') report('status', 'must not be 204, because the response has content');
  if (content.of !== 'nothing' && content.of !== 'file') checkType(content, 'content', report);
  if (content.of === 'value') reportSchema(content.schema, 'content', report);
  if (content.of === 'file') {
    const { types, maxBytes } = content;
    if (!types.every(isFileType)) report('content.types', 'must be media types like `image/png`');
    if (!Number.isInteger(maxBytes) || maxBytes < 1 || maxBytes > MAX_FILE_BYTES)
      report('content.maxBytes', `must be from 1 to ${MAX_FILE_BYTES}`);
  }
  if ((content.of === 'object' || content.of === 'list') && content.in !== undefined && !isFieldPath(content.in))
    report('content.in', 'must be the name of a field, or the path of a field like `meta.items`');
  if ((content.of === 'object' || content.of === 'list') && content.around)
    checkAround(content, content.around, report);
}

/** Reports fields around the content that no response can have, and values that belong to no such field. */
function checkAround(
  content: Extract<Content, { of: 'object' | 'list' }>,
  { schema, values = {} }: ResponseEnvelope,
  report: Report,
): void {
  const { in: path } = content;
  if (path === undefined) report('content.around', 'requires `content.in`, the field with the content');
  let isSafe = true;
  reportSchema(schema, 'content.around.schema', (field, detail) => {
    isSafe = false;
    report(field, detail);
  });
  if (Reflect.get(schema, 'type') !== 'object') report('content.around.schema', 'must have the type `object`');
  else if (isSafe && exampleOf({ ...schema }) === undefined)
    report('content.around.schema', 'must have examples, because no value was found that fits it');
  if (content.of === 'object' && Object.values(values).some((name) => name !== 'self'))
    report('content.around.values', 'must be empty except for `self`, because the response has no pages');
  for (const [field, name] of Object.entries(values)) {
    const at = `content.around.values['${field}']`;
    if (!PAGE_VALUES.includes(name)) report(at, `must be one of ${PAGE_VALUES.join(', ')}`);
    const isNext = content.of === 'list' && content.paging.by === 'cursor' && content.paging.next === field;
    if (!isFieldPath(field) || !fieldAt(schema, field)) report(at, 'must be the path of a field in `schema`');
    else if (isNext || `${path}.`.startsWith(`${field}.`) || `${field}.`.startsWith(`${path}.`))
      report(at, 'must be the path of another field than the content and the next cursor');
  }
}

/** Reports parameters and fields of a paging that are no names, or that another part of the operation has. */
function checkPaging(
  { query = {} }: OperationDeclaration,
  { in: items, paging }: Extract<Content, { of: 'list' }>,
  report: Report,
): void {
  if (paging.by === 'none') return;
  const { parameter, limit } = paging;
  for (const [part, name] of Object.entries({ parameter, limit })) {
    if (name === undefined) continue;
    const at = `content.paging.${part}`;
    if (!isWireName(name)) report(at, 'must be the name of a query parameter');
    else if (Object.hasOwn(query, name)) report(at, `must not be ${name}, which \`query\` declares`);
  }
  if (parameter === limit) report('content.paging.limit', 'must differ from `parameter`');
  checkPageSize(paging, report);
  const error = paging.by === 'cursor' && paging.next !== undefined ? nextFieldError(paging.next, items) : undefined;
  if (error !== undefined) report('content.paging.next', error);
}

/** Reports a maximum or a default of the limit that is no number of objects in a page. */
function checkPageSize({ limit, maxLimit, defaultLimit }: Exclude<Paging, { by: 'none' }>, report: Report): void {
  for (const [part, value] of Object.entries({ maxLimit, defaultLimit })) {
    if (value === undefined) continue;
    const at = `content.paging.${part}`;
    if (limit === undefined) report(at, 'requires `limit`, the name of the query parameter');
    if (!Number.isInteger(value) || value < 1 || value > MAX_LIMIT)
      report(at, `must be an integer from 1 to ${MAX_LIMIT}`);
  }
  if (maxLimit !== undefined && defaultLimit !== undefined && defaultLimit > maxLimit)
    report('content.paging.defaultLimit', 'must be at most `maxLimit`');
}

/** Returns why a response with its objects in `items` cannot have the next cursor in the field `next`. */
export function nextFieldError(next: string, items: string | undefined): string | undefined {
  if (!isFieldPath(next)) return 'must be the name of a field, or the path of a field like `meta.next`';
  if (items === undefined) return 'requires `content.in`, because an array has no field for the cursor';
  const isInside = `${items}.`.startsWith(`${next}.`) || `${next}.`.startsWith(`${items}.`);
  return isInside ? `must not be ${next}, because ${items} has the objects` : undefined;
}

/** Reports the mistakes of a schema. A schema with a mistake that `unsafeParts` finds is not compiled. */
export function reportSchema(schema: TSchema, field: string, report: Report): void {
  const mistakes = unsafeParts(schema);
  for (const { pointer, detail } of mistakes) report(`${field}${pointer}`, detail);
  if (mistakes.length > 0) return;
  try {
    schemaErrorsOnce(schema, undefined);
  } catch (error) {
    report(field, `is not a JSON Schema (${error instanceof Error ? error.message : error})`);
  }
}
