// The headers that a response may carry in addition to HTTP's own. The product has their table and passes it to each
// document.

export interface ResponseHeader {
  description: string;
  /** True if every response that lists the header has it. */
  required: boolean;
  schema: Readonly<Record<string, unknown>>;
  example: string | number;
}

/** The headers that this library sets. A product adds its own by declaration merging. */
export interface ResponseHeaders {
  'Request-Id': ResponseHeader;
  'Cache-Control': ResponseHeader;
  Deprecation: ResponseHeader;
  ETag: ResponseHeader;
  Link: ResponseHeader;
  'Retry-After': ResponseHeader;
  Sunset: ResponseHeader;
  'WWW-Authenticate': ResponseHeader;
}

export type HeaderName = keyof ResponseHeaders;

/** Returns the components of an OpenAPI document for the headers that it uses. */
export function headerComponents(
  table: Readonly<ResponseHeaders>,
  names: ReadonlySet<string>,
): Record<string, ResponseHeader> {
  return Object.fromEntries(Object.entries(table).filter(([name]) => names.has(name)));
}

export function headerReferences(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries([...new Set(names)].sort().map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
