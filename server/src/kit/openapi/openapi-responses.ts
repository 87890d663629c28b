// Moves responses that several operations share into the document's components.

import type { OpenApiObject } from './openapi-schemas.ts';

type Responses = Record<string, OpenApiObject>;

/**
 * Replaces each problem and each empty response that occurs more than once by a reference, and returns the components.
 * The most frequent response of a status has the name of the status (`NotFound`), and any other also the name of the
 * first operation that has it (`NotFoundOfGetOpenapi`).
 */
export function shareResponses(operations: readonly OpenApiObject[]): Responses {
  const uses = new Map<
    string,
    { status: string; response: OpenApiObject; places: { operation: OpenApiObject; responses: Responses }[] }
  >();
  for (const operation of operations) {
    const responses = operation.responses as Responses; // as describeOperation writes them
    for (const [status, response] of Object.entries(responses)) {
      if (response.content !== undefined && status < '300') continue;
      const key = `${status} ${JSON.stringify(response)}`;
      const known = uses.get(key) ?? { status, response, places: [] };
      uses.set(key, known);
      known.places.push({ operation, responses });
    }
  }
  const shared: Responses = {};
  // The sort is stable, so responses of equal frequency keep their order in the document.
  for (const { status, response, places } of [...uses.values()].sort((a, b) => b.places.length - a.places.length)) {
    const [first] = places;
    if (first === undefined || places.length < 2) continue;
    const short = nameOfStatus(status);
    const name = short in shared ? `${short}Of${capitalised(String(first.operation.operationId))}` : short;
    shared[name] = response;
    for (const { responses } of places) responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return shared;
}

/** The names of statuses (RFC 9110), as words of an identifier. */
const STATUS_NAMES: Readonly<Record<string, string>> = {
  204: 'NoContent',
  304: 'NotModified',
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  406: 'NotAcceptable',
  408: 'RequestTimeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'ContentTooLarge',
  414: 'UriTooLong',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  431: 'HeaderFieldsTooLarge',
  500: 'InternalServerError',
  502: 'BadGateway',
  503: 'ServiceUnavailable',
  504: 'GatewayTimeout',
};

const nameOfStatus = (status: string): string => STATUS_NAMES[status] ?? `Status${status}`;

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
