// The content of the responses that a contract declares: its schema, an example and the bodies.
import {
  type AnyResource,
  type Content,
  createSeededRandom,
  drawValue,
  exampleOf,
  fits,
  isCreatedStatus,
  OBJECT_LIMITS,
  type OperationDeclaration,
} from '../../access/contracts/index.ts';
import type { AnyOperation, Reply } from '../../kit/http/operation.ts';
import { preferredType } from '../../kit/http/preferred-type.ts';
import { type TSchema, Type } from '../../kit/http/schema.ts';
import { fileOfType } from './declared-file.ts';
import { pageRequestOf } from './declared-inputs.ts';
import { envelopeBody, envelopeSchema, listBody } from './envelope.ts';
import { pageValuesOf } from './page-links.ts';
import { type PathValues, pathValueFor, pathValues } from './path-values.ts';

type Replies = AnyOperation<unknown>['replies'];
type ListContent = Extract<Content, { of: 'list' }>;

export function repliesOf(resource: AnyResource, declared: OperationDeclaration): Replies {
  const { summary, creates } = declared;
  const description = summary.endsWith('.') ? summary : `${summary}.`;
  const reply = { description, ...schemaOf(resource, declared.content), ...headersOf(declared, declared.status) };
  if (!creates || creates.status === declared.status) return { [declared.status]: reply };
  const { status, content } = { ...declared, ...creates };
  const created = { description: `The ${resource.noun} was created.`, ...schemaOf(resource, content) };
  return {
    [declared.status]: reply,
    [status]: { ...created, ...headersOf({ ...declared, content }, status) },
  };
}

function schemaOf(resource: AnyResource, content: Content): Partial<Replies[number]> {
  const { schema, example } = resource;
  const type = 'type' in content && content.type !== undefined ? { contentType: content.type } : {};
  switch (content.of) {
    case 'nothing':
      return {};
    case 'object':
      return {
        ...type,
        schema: envelopeSchema(content, schema),
        examples: { anObject: envelopeBody(content, example) },
      };
    case 'list': {
      const items = Type.Array(schema, { maxItems: OBJECT_LIMITS.unpagedObjects, description: 'Newest first.' });
      return { ...type, schema: envelopeSchema(content, items), examples: { aPage: onlyPage(content, [example]) } };
    }
    case 'value':
      return { ...type, schema: content.schema, examples: { aValue: exampleOf({ ...content.schema }) } };
    case 'file': {
      const [contentType = 'text/plain', ...otherContentTypes] = content.types;
      return { schema: Type.String({ contentEncoding: 'binary' }), contentType, otherContentTypes };
    }
  }
}

function headersOf(declared: OperationDeclaration, status: number): Pick<Replies[number], 'headers'> {
  const { content } = declared;
  if (isCreatedStatus(declared, status) && content.of === 'object') return { headers: ['Location'] };
  return content.of === 'list' && content.paging.by !== 'none' ? { headers: ['Link'] } : {};
}

/** Returns the body of a list that has one page. */
function onlyPage(content: ListContent, items: readonly object[]): unknown {
  const count = items.length;
  const { skip, limit } = pageRequestOf(content.paging, {});
  const page = { skip, limit, count, total: count, isMore: false };
  return listBody(content, items, null, { known: { ...pageValuesOf(content, {}, page), next: [], previous: [] } });
}

interface ReplySource {
  /** Undefined for an action on a collection. */
  object: object | undefined;
  /** The address of the object, if an operation returns it. */
  self?: string | undefined;
  /** The values of the request's body. They replace drawn values of the same name that they fit. */
  given?: Readonly<Record<string, unknown>>;
  /** The parameters of the path. Their identifiers replace drawn values of fields with the names of the parameters. */
  params: Readonly<Record<string, string>>;
  /** The text that drawn values are derived from. */
  origin: string;
  /** The header `Accept` of the request. It selects one of several types of a file. */
  accept?: string | string[] | undefined;
}

/** Returns the reply with the content about an object, or with a drawn value. */
export function replyOf(
  resource: AnyResource,
  declared: OperationDeclaration,
  { object, self, given = {}, params, origin, accept }: ReplySource,
): Reply {
  const { status, content } = declared;
  const draw = (schema: TSchema): unknown => {
    const source = { given, inPath: pathValues(resource, declared, params) };
    return repeatGiven(schema, drawValue(schema, createSeededRandom(origin)) ?? null, source);
  };
  switch (content.of) {
    case 'nothing':
      return { status };
    case 'object':
      return {
        status,
        body: envelopeBody(content, object ?? draw(resource.schema), {
          known: { self: self === undefined ? [] : [self] },
        }),
      };
    case 'list':
      return { status, body: onlyPage(content, object ? [object] : []) };
    case 'value':
      return { status, body: draw(content.schema) };
    case 'file': {
      const type = preferredType(content.types, accept);
      const json = fileOfType(type);
      return type === undefined ? { status, json } : { status, json, headers: { 'content-type': type } };
    }
  }
}

/**
 * Returns a drawn value with the identifiers of the path and the given values, where its schema has a property of their
 * name that they fit.
 */
function repeatGiven(
  schema: TSchema,
  drawn: unknown,
  source: { given: Readonly<Record<string, unknown>>; inPath: PathValues },
): unknown {
  if (typeof drawn !== 'object' || drawn === null || Array.isArray(drawn)) return drawn;
  const { given, inPath } = source;
  const properties: Readonly<Record<string, TSchema>> = Object(Reflect.get(schema, 'properties'));
  const repeated = Object.entries(properties).flatMap(([name, property]) => {
    const named = pathValueFor(inPath, name, property);
    if (named !== undefined) return [[name, named]];
    if (Object.hasOwn(given, name) && fits(property, given[name])) return [[name, given[name]]];
    return Object.hasOwn(drawn, name) ? [[name, repeatGiven(property, Reflect.get(drawn, name), source)]] : [];
  });
  return { ...drawn, ...Object.fromEntries(repeated) };
}
