// The paging of a list, known by the usual names of its query parameters.
import { isWireName, nextFieldError, type Paging } from '../../access/contracts/index.ts';
import type { Part } from './part.ts';
import { fieldsOf } from './shapes.ts';
import { wordsOf } from './words.ts';

const CURSORS =
  'cursor,after,pagetoken,startingafter,nexttoken,continuation,continuationtoken,pagecursor,pageafter,marker,token';
const PAGES = 'page,pagenumber,pageno,pagenum,currentpage,pageindex,p';
const OFFSETS = 'offset,skip,start,startindex,pageoffset,from';
const LIMITS = 'limit,perpage,pagesize,size,count,maxresults,take,first,top,pagelimit,maxitems,maxpagesize,max,rows,n';
const NEXT = 'nextcursor,next,nextpagetoken,nexttoken,cursor,endcursor,continuation,continuationtoken,nextpage';

const isIn = (names: string, name: string): boolean => names.split(',').includes(wordsOf(name).join(''));

/**
 * Returns the paging that these query parameters have. The schema of the response may contain the next cursor next to the
 * objects, which are in the field `items`.
 */
export function pagingOf(names: readonly string[], response: Part | undefined, items: string | undefined): Paging {
  const find = (all: string): string | undefined => names.find((name) => isWireName(name) && isIn(all, name));
  const limitName = find(LIMITS);
  const limit = limitName === undefined ? {} : { limit: limitName };
  const cursor = find(CURSORS);
  if (cursor !== undefined) {
    const next = response && nextOf(response, '', 0);
    const isUsable = next !== undefined && nextFieldError(next, items) === undefined;
    return { by: 'cursor', parameter: cursor, ...limit, ...(isUsable && { next }) };
  }
  const page = find(PAGES);
  if (page !== undefined) return { by: 'page', parameter: page, ...limit };
  const offset = find(OFFSETS);
  return offset === undefined ? { by: 'none' } : { by: 'offset', parameter: offset, ...limit };
}

/** Returns the path of the field with the next cursor, such as `meta.next_cursor`. */
function nextOf(schema: Part, before: string, level: number): string | undefined {
  const fields = [...fieldsOf(schema)];
  const own = fields.find(([name]) => isIn(NEXT, name));
  if (own) return before + own[0];
  if (level === 2) return undefined;
  for (const [name, field] of fields) {
    const target = field.target();
    const found = target && nextOf(target, `${before}${name}.`, level + 1);
    if (found !== undefined && /meta|pag|link|cursor|info/i.test(name)) return found;
  }
  return undefined;
}

export const isPagingName = (name: string): boolean => [CURSORS, PAGES, OFFSETS, LIMITS].some((all) => isIn(all, name));
