// The fields of a response around its content: their schema, and those that have a value about the page of a list.
import {
  type Content,
  exampleOf,
  fits,
  isInherited,
  isWireName,
  type PageValue,
  type ResponseEnvelope,
} from '../../access/contracts/index.ts';
import type { TSchema } from '../../kit/http/schema.ts';
import type { Part } from './part.ts';
import { isMarked } from './schema-examples.ts';
import { convertSchema, type Schema } from './schemas.ts';
import { fieldsOf, requiredIn } from './shapes.ts';
import { plural, wordsOf } from './words.ts';

type EnvelopeContent = Extract<Content, { of: 'list' | 'object' }>;

/** The usual names of fields with a value about the page. `a,b` are two names, each without the spaces of its words. */
const NUMBERS: [PageValue, names: string][] = [
  ['total', 'total,totalcount,totalitems,totalresults,totalrecords,totalelements,totalhits,totalrows,recordstotal'],
  ['pages', 'pages,totalpages,pagecount,pagestotal,numpages,numberofpages,lastpage,pagetotal'],
  ['count', 'count,resultcount,itemcount,numberofelements,returned,pageitems,currentcount'],
  ['limit', 'limit,perpage,pagesize,size,pagelimit,itemsperpage,take,maxresults,maxitems'],
  ['page', 'page,pagenumber,currentpage,pageno,pagenum,pageindex,number'],
  ['offset', 'offset,skip,start,startindex'],
];
const FLAGS: [PageValue, names: string][] = [
  [
    'hasMore',
    'hasmore,hasnext,hasnextpage,more,hasmoreitems,hasmoreresults,ismore,moreavailable,truncated,istruncated',
  ],
  ['hasPrevious', 'hasprevious,haspreviouspage,hasprev,hasprevpage'],
  ['isFirst', 'first,isfirst,isfirstpage,firstpage'],
  ['isLast', 'last,islast,islastpage,lastpage'],
];
/** Pages that a field names by address or number. */
const PAGES: [PageValue, names: string][] = [
  ['next', 'next,nextpage,nexturl,nextlink,nextpageurl,nexturi'],
  [
    'previous',
    'previous,prev,previouscursor,prevcursor,previouspage,prevpage,previousurl,prevurl,previouslink,prevlink,prevpageurl,previouspageurl',
  ],
];
const ADDRESSES: [PageValue, names: string][] = [
  ['self', 'self,selfurl,selflink'],
  ['first', 'first,firsturl,firstlink,firstpage,firstpageurl'],
  ['last', 'last,lasturl,lastlink,lastpage,lastpageurl'],
];
const FRACTIONS = ['double', 'float', 'decimal'];
const URLS = ['uri', 'url', 'uri-reference'];
/** In an object with more fields around the content, the contract has only the content and the next cursor. */
const MAX_FIELDS = 100;
/** A response has a value at most this number of objects inside. */
const MAX_LEVELS = 3;

/** Returns the fields around the content; undefined if the response has none. Reports those with a made value. */
export function aroundOf(given: Part, content: EnvelopeContent, last: string): ResponseEnvelope | undefined {
  const { in: path } = content;
  const part = given.target() ?? given;
  if (path === undefined) return undefined;
  const next = content.of === 'list' && content.paging.by === 'cursor' ? content.paging.next : undefined;
  const kept = [path, next].flatMap((one) => (one === undefined ? [] : [one.split('.')]));
  const schema = schemaAround(part, kept, content.of === 'list' ? 'array' : 'object');
  const values = valuesIn(schema, content, last);
  const isUsable = exampleOf(schema) !== undefined;
  const known = [...kept, ...(isUsable ? Object.keys(values).map((one) => one.split('.')) : [])];
  const reason = isUsable
    ? 'The responses of the contract have a value that is made from its schema'
    : 'The responses of the contract do not have it';
  const hasOthers = reportAround(part, known, `is a field next to ${path.slice(0, 60)}. ${reason}`);
  const isEnded = next === undefined || fits(schemaAt(schema, next), null);
  if (!isUsable || (!hasOthers && isEnded && Object.keys(values).length === 0)) return undefined;
  const isPaged = Object.keys(values).length > 0;
  return { schema: schema as TSchema, ...(isPaged && { values }) }; // plain JSON Schema, which is what TypeBox compiles
}

/** Returns the schema of an object around the paths. The first one leads to the content, of which only the type is known. */
function schemaAround(
  part: Part,
  [content, next]: readonly (string[] | undefined)[],
  type: 'array' | 'object',
): Schema {
  const fields = [...fieldsOf(part)];
  const isLarge = fields.length > MAX_FIELDS;
  const properties = fields.flatMap(([name, field]): [string, Schema][] => {
    if (isInherited(name) || isMarked(field, 'writeOnly')) return [];
    if (isLarge && content?.[0] !== name && next?.[0] !== name) return [];
    const inside = [content, next].map((path) => (path?.[0] === name ? path.slice(1) : undefined));
    if (inside[0]?.length === 0) return [[name, { type }]];
    const target = inside.some((path) => path !== undefined && path.length > 0) ? field.target() : undefined;
    return [[name, target ? schemaAround(target, inside, type) : convertSchema(field, 'response')]];
  });
  const names = new Set(properties.map(([name]) => name));
  const required = [...requiredIn(part)].filter((name) => names.has(name));
  const description = part.shortText('description');
  const isNullable = part.isTrue('nullable') || [part.object.type].flat().includes('null');
  return {
    type: isNullable ? ['object', 'null'] : 'object',
    ...(description !== undefined && { description }),
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

const propertiesOf = (schema: unknown): [string, Schema][] =>
  Object.entries(Object(Reflect.get(Object(schema), 'properties')));

const schemaAt = (schema: Schema, path: string): Schema =>
  path.split('.').reduce((one: Schema, name) => Object(Object(one.properties)[name]), schema);

/** Returns the fields that have a value about the page, by path; of an object, the fields with its address. */
function valuesIn(schema: Schema, content: EnvelopeContent, last: string): Record<string, PageValue> {
  const paging = content.of === 'list' ? content.paging : undefined;
  const next = paging?.by === 'cursor' ? paging.next : undefined;
  const found: [path: string, value: PageValue][] = [];
  const visit = (one: Schema, before: readonly string[]): void => {
    for (const [name, field] of propertiesOf(one)) {
      const at = [...before, name];
      const path = at.join('.');
      if (path === content.in || path === next || !isWireName(name) || name.includes('.')) continue;
      const known =
        field.const === undefined && !Array.isArray(field.enum) ? pageValueOf(name, field, before, last) : undefined;
      const value = content.of === 'list' || known === 'self' ? known : undefined;
      if (value) found.push([path, value]);
      else if (at.length < MAX_LEVELS) visit(field, at);
    }
  };
  visit(schema, []);
  // The field `count` alone is the number of all objects, unless a cursor selects the page.
  const isTotal = paging?.by !== 'cursor' && !found.some(([, value]) => value === 'total');
  const lastNameOf = (path: string): string => wordsOf(path.split('.').at(-1) ?? '').join('');
  return Object.fromEntries(
    found.map(([path, value]) => [
      path,
      isTotal && value === 'count' && lastNameOf(path) === 'count' ? 'total' : value,
    ]),
  );
}

const find = (all: readonly [PageValue, string][], name: string): PageValue | undefined =>
  all.find(([, names]) => names.split(',').includes(name))?.[0];

/** Returns the types of a field, also those of its alternatives, such as null. */
function typesOf({ type, oneOf, anyOf }: Schema): unknown[] {
  if (type !== undefined) return [type].flat();
  return [oneOf, anyOf].flatMap((list) => (Array.isArray(list) ? list.flatMap((one) => typesOf(Object(one))) : []));
}

function pageValueOf(given: string, field: Schema, around: readonly string[], last: string): PageValue | undefined {
  const words = wordsOf(given);
  const name = words.join('');
  const { format } = field;
  const types = typesOf(field);
  if (types.includes('boolean')) return find(FLAGS, name);
  if (types.includes('integer') || (types.includes('number') && !FRACTIONS.includes(String(format)))) {
    return numberOf(words, last) ?? find(PAGES, name);
  }
  const isInLinks = /^_?links?$/i.test(around.at(-1) ?? '');
  // HAL: `_links` has objects such as `{"href": "/orders?page=2"}`.
  if (types.includes('object') && isInLinks && isLink(field)) return find(PAGES, name) ?? find(ADDRESSES, name);
  if (!types.includes('string')) return undefined;
  const isAddress = isInLinks || URLS.includes(String(format));
  const address = find(PAGES, name) ?? (isAddress ? find(ADDRESSES, name) : undefined);
  return address ?? (isNumeric(field, words) ? numberOf(words, last) : undefined);
}

const isLink = (field: Schema): boolean => propertiesOf(field).some(([name]) => ['href', 'url', 'uri'].includes(name));

/** Returns the value of a field for a number. */
function numberOf(words: readonly string[], last: string): PageValue | undefined {
  const noun = plural(wordsOf(last).join(''));
  const isOfNoun =
    ['total', 'count'].some((one) => words.includes(one)) &&
    plural(words.filter((one) => one !== 'total' && one !== 'count').join('')) === noun;
  return isOfNoun ? 'total' : find(NUMBERS, words.join(''));
}

/**
 * Returns whether a text is a number about the page: its rules accept digits only, or its name has several words. A text
 * `total` can also be an amount of money.
 */
function isNumeric(field: Schema, words: readonly string[]): boolean {
  const isDigits = /^u?int(?:32|64)$/.test(String(field.format)) || (fits(field, '7') && !fits(field, 'a'));
  return fits(field, '7') && (isDigits || words.length > 1);
}

/** Reports the fields around the content that have no known value. Returns whether there are any, with constants. */
function reportAround(part: Part, known: readonly string[][], reason: string): boolean {
  let hasOthers = false;
  for (const [name, field] of fieldsOf(part)) {
    const inside = known.flatMap((path) => (path[0] === name ? [path.slice(1)] : []));
    const target = field.target();
    if (isInherited(name)) field.report('has the name of a property that every object has. The contract leaves it out');
    else if (isMarked(field, 'writeOnly')) continue;
    else if (inside.length === 0) {
      hasOthers = true;
      const { const: constant, enum: values } = target?.object ?? {};
      const isConstant = constant !== undefined || (Array.isArray(values) && values.length === 1);
      if (!isConstant) field.report(reason);
    } else if (target && inside.every(({ length }) => length > 0)) {
      hasOthers = reportAround(target, inside, reason) || hasOthers;
    }
  }
  return hasOthers;
}
