// The paging of a list, known by the usual names of its query parameters.
import { isWireName, nextFieldError, type Paging } from '../../access/contracts/index.ts';
import { MAX_LIMIT } from '../../kit/http/page.ts';
import { type QueryParameter, sentSchemaOf } from './parameters.ts';
import type { Part } from './part.ts';
import { fieldsOf, typeOf } from './shapes.ts';
import { wordsOf } from './words.ts';

const CURSORS =
  'cursor,after,pagetoken,startingafter,nexttoken,continuation,continuationtoken,pagecursor,pageafter,marker,token';
const PAGES = 'page,pagenumber,pageno,pagenum,currentpage,pageindex,p';
const OFFSETS = 'offset,skip,start,startindex,pageoffset,from';
const LIMITS = 'limit,perpage,pagesize,size,count,maxresults,take,first,top,pagelimit,maxitems,maxpagesize,max,rows,n';
const NEXT =
  'nextcursor,next,nextpagetoken,nexttoken,cursor,endcursor,continuation,continuationtoken,nextpage,nextmarker,aftercursor';

const isIn = (names: string, name: string): boolean => names.split(',').includes(wordsOf(name).join(''));
const TIMES = ['date', 'date-time', 'time', 'duration'];

/**
 * Returns whether a parameter can select a page. Some filters have the same names: a `from` that is a time, a `size` that is
 * one of several words, or an `after` that is a date.
 */
function isPosition({ schema }: QueryParameter): boolean {
  const { type, format, enum: values } = schema ? sentSchemaOf(schema) : {};
  const types = [type].flat().filter((one) => one !== 'null');
  if (types.some((one) => one === 'boolean' || one === 'array' || one === 'object')) return false;
  if (types.includes('integer') || types.includes('number')) return true;
  return !TIMES.includes(String(format)) && !Array.isArray(values);
}

/**
 * Returns the paging that these query parameters have. The schema of the response may contain the next cursor next to the
 * objects, which are in the field `items`.
 */
export function pagingOf(
  query: readonly QueryParameter[],
  response: Part | undefined,
  items: string | undefined,
): Paging {
  const names = query.filter(isPosition).map(({ name }) => name);
  const find = (all: string): string | undefined => names.find((name) => isWireName(name) && isIn(all, name));
  const [cursor, page, offset] = [CURSORS, PAGES, OFFSETS].map(find);
  if (cursor === undefined && page === undefined && offset === undefined) return { by: 'none' };
  const limitName = find(LIMITS);
  const parameterOf = (name: string | undefined): QueryParameter | undefined => query.find((one) => one.name === name);
  const limitParameter = parameterOf(limitName);
  for (const one of [parameterOf(cursor ?? page ?? offset), limitParameter])
    if (one?.part.text('description') !== undefined)
      one.part.report('has a description, in place of which the contract has one of its own');
  const limit = limitName === undefined ? {} : { limit: limitName, ...(limitParameter && sizeOf(limitParameter)) };
  if (cursor !== undefined) {
    const next = response && nextOf(response, isNextOf(cursor));
    const isUsable = next !== undefined && nextFieldError(next, items) === undefined;
    return { by: 'cursor', parameter: cursor, ...limit, ...(isUsable && { next }) };
  }
  if (page !== undefined) {
    reportFirstPage(parameterOf(page));
    return { by: 'page', parameter: page, ...limit };
  }
  return offset === undefined ? { by: 'none' } : { by: 'offset', parameter: offset, ...limit };
}

/** Reports pages with numbers from 0, because the same number selects another page in the contract. */
function reportFirstPage({ schema, part }: Partial<QueryParameter> = {}): void {
  const { minimum, default: first } = schema ? sentSchemaOf(schema) : {};
  if (minimum === 0 || first === 0)
    part?.report(
      'numbers pages from 0. The contract numbers pages from 1 and refuses 0. Production sends the number unchanged, so your API must number pages from 1',
    );
}

/** Returns the declared maximum and default of the limit. A maximum or a default above the platform's is cut. */
function sizeOf({ part: limit, schema: given }: QueryParameter): { maxLimit?: number; defaultLimit?: number } {
  const schema = given ? sentSchemaOf(given) : {};
  const { maximum, exclusiveMaximum, minimum, default: standard } = schema;
  const declared = Math.min(
    typeof maximum === 'number' ? Math.floor(maximum) : Number.POSITIVE_INFINITY,
    typeof exclusiveMaximum === 'number' ? Math.ceil(exclusiveMaximum) - 1 : Number.POSITIVE_INFINITY,
  );
  const isLimited = Number.isFinite(declared) && declared >= 1;
  const most = isLimited ? Math.min(declared, MAX_LIMIT) : MAX_LIMIT;
  if (isLimited && declared > most)
    limit.report(`has the maximum ${declared}. A page of the contract has at most ${MAX_LIMIT} objects`);
  if (typeof minimum === 'number' && minimum > 1)
    limit.report(`has the minimum ${minimum}. The contract accepts each number from 1`);
  if (Array.isArray(schema.enum))
    limit.report(`accepts some numbers only. The contract accepts each from 1 to ${most}`);
  const isNumber = typeof standard === 'number' && Number.isInteger(standard) && standard >= 1;
  if (standard !== undefined && !isNumber)
    limit.report('has a default that is no number of objects. The contract has none');
  if (isNumber && standard > most) limit.report(`has the default ${standard}. The default of the contract is ${most}`);
  return { ...(isLimited && { maxLimit: most }), ...(isNumber && { defaultLimit: Math.min(standard, most) }) };
}

/** Returns false for a field that contains no cursor, such as a link that is an object. */
function isText(field: Part): boolean {
  const target = field.target();
  return target !== undefined && ['string', undefined].includes(typeOf(target));
}

/**
 * Returns a function that recognises the names of a field with the next cursor. `after` is the next cursor only if a request
 * can send it as such.
 */
function isNextOf(cursor: string): (name: string) => boolean {
  const isAfter = wordsOf(cursor).at(-1) === 'after';
  return (name) => isIn(NEXT, name) || (isAfter && wordsOf(name).join('') === 'after');
}

/**
 * Returns the path of the field with the next cursor, such as `meta.next_cursor`. `seen` are the schemas that were read
 * before, because a schema can contain itself in each of its fields.
 */
function nextOf(
  schema: Part,
  isNext: (name: string) => boolean,
  before = '',
  level = 0,
  seen: Set<unknown> = new Set(),
): string | undefined {
  if (seen.has(schema.value)) return undefined;
  seen.add(schema.value);
  const fields = [...fieldsOf(schema)];
  const own = fields.find(([name, field]) => isNext(name) && isText(field));
  if (own) return before + own[0];
  if (level === 2) return undefined;
  for (const [name, field] of fields) {
    const target = /meta|pag|link|cursor|info/i.test(name) ? field.target() : undefined;
    const found = target && nextOf(target, isNext, `${before}${name}.`, level + 1, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns whether a query parameter has the name and the schema of a parameter that selects a page. */
export const isPagingParameter = (parameter: QueryParameter): boolean =>
  [CURSORS, PAGES, OFFSETS, LIMITS].some((all) => isIn(all, parameter.name)) && isPosition(parameter);
