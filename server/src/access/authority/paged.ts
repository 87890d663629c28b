// Lists of the management API and of the Console: newest first by id, with cursors that are bound to organisation or
// app, operation and filter.
import type { Inputs, Reply } from '../../kit/http/operation.ts';
import {
  type CursorKey,
  type Cursors,
  createListPager,
  cursorsOf,
  type ListQuery,
  type ListSpec,
} from '../../kit/http/page.ts';
import type { TSchema } from '../../kit/http/schema.ts';

/** The rows of a read that examines a bounded number of objects. */
export interface BoundedRows<Row> {
  rows: Row[];
  /** The last examined object; undefined if there is none beyond it. The next page continues after it. */
  reached: string | undefined;
}

interface PagedSpec<Row, Item> extends ListSpec<Row, Item> {
  /** Reads at most `limit` rows whose ids are below `after`. */
  load(after: string | undefined, limit: number): Promise<Row[] | BoundedRows<Row>>;
}

export interface ListContext {
  /** Answers with one page of the list that the request asks for. */
  paged<Row, Item>(spec: PagedSpec<Row, Item>): Promise<Reply>;
  /** Returns the cursors of a list with an order of its own. */
  cursors(filter: object): Cursors;
}

interface Listing {
  operation: { id: string; query?: TSchema };
  inputs: Inputs;
}

/** Returns the lists of a request. `owner` is the id of the app or of the organisation. */
export function createListContext({ operation, inputs }: Listing, owner: string, key: CursorKey): ListContext {
  const cursors: ListContext['cursors'] = (filter) =>
    cursorsOf(owner, operation.id, withoutDefaults(filter, operation.query), key);
  return {
    cursors,
    async paged(spec) {
      const query = inputs.query as ListQuery; // every list has this query
      const { after, limit, pageOf, seal } = createListPager(spec, query, cursors({ ...query, ...parentsOf(inputs) }));
      const found = await spec.load(after, limit);
      const { rows, reached } = Array.isArray(found) ? { rows: found, reached: undefined } : found;
      const body = pageOf(rows);
      const isTruncated = body.nextCursor === null && reached !== undefined;
      return { status: 200, body: isTruncated ? { ...body, nextCursor: seal(reached) } : body };
    },
  };
}

/** Returns the filter without values that equal a default, so that a cursor is valid whether or not they are stated. */
function withoutDefaults(filter: object, query: TSchema | undefined): object {
  const properties: Record<string, { default?: unknown }> = Object(Reflect.get(Object(query), 'properties'));
  const isDefault = (name: string, value: unknown): boolean =>
    value !== undefined && value === properties[name]?.default;
  return Object.fromEntries(Object.entries(filter).filter(([name, value]) => !isDefault(name, value)));
}

/** Returns the uuids in the path except those of the organisation and the app, which own the list. */
function parentsOf({ params, ids }: Inputs): Record<string, unknown> {
  const { organisationId: _organisation, appId: _app, ...parents } = params;
  return Object.fromEntries(Object.keys(parents).map((name) => [name, ids[name]]));
}
