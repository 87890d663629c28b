// The parts of a declaration that describe an API whose form differs from the default contract's: identifiers, lists
// and operations of a resource. `contract import` writes them, and the sandbox runs them (resources/operations).
import type { TSchema } from '../../kit/http/schema.ts';
import type { ResponseEnvelope } from './envelope.ts';

/** The identifiers of a resource's objects in responses and paths. */
export interface IdentityDeclaration {
  /** The field that holds the identifier. Undefined if the objects do not contain their identifier. */
  field?: string;
  form: 'prefixed' | 'uuid' | 'integer' | 'text';
  /** The beginning of each identifier of the form `prefixed`, such as `ord_`. */
  prefix?: string;
  /**
   * The regular expression of each identifier with the form `prefixed` or `text`. The sandbox makes identifiers that match
   * it.
   */
  pattern?: string;
  /** The fewest and the most characters of an identifier with the form `prefixed` or `text`. */
  minLength?: number;
  maxLength?: number;
  /** The lowest and the highest number, and the step between the numbers, of the form `integer`. */
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  /** All identifiers that the API permits. */
  enum?: readonly (string | number)[];
  description: string;
  examples?: readonly (string | number)[];
}

/** The number of objects in a page. */
interface PageSize {
  /** The query parameter with the highest number of objects to return. */
  limit?: string;
  /** The highest value of `limit`. Without it, 100. */
  maxLimit?: number;
  /** The number of objects of a request without `limit`. Undefined if the API does not declare it. */
  defaultLimit?: number;
}

/** The query parameters that select a page of a list. */
export type Paging =
  | { by: 'none' }
  /** `next` is the field of the response with the cursor of the next page, such as `meta.next`. */
  | ({ by: 'cursor'; parameter: string; next?: string } & PageSize)
  /** Pages have numbers from 1. */
  | ({ by: 'page'; parameter: string } & PageSize)
  /** The number of objects to skip. */
  | ({ by: 'offset'; parameter: string } & PageSize);

/**
 * The content of a successful response. `in` is the field around the content, such as `data` or `data.items`; without
 * it, none. `around` has the other fields of the response, such as a total. `type` is the media type of the response,
 * such as `application/hal+json`; without it, `application/json`.
 */
export type Content =
  | { of: 'nothing' }
  | { of: 'object'; in?: string; around?: ResponseEnvelope; type?: string }
  | { of: 'list'; in?: string; paging: Paging; around?: ResponseEnvelope; type?: string }
  | { of: 'value'; schema: TSchema; type?: string }
  | { of: 'file'; types: readonly string[]; maxBytes: number };

/** An operation on a resource, under the `operationId` of the API. */
export interface OperationDeclaration {
  effect: 'list' | 'get' | 'create' | 'update' | 'replace' | 'delete' | 'action';
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * The path after `/v1`. Each parameter is the identifier of the resource or of one of its parents, `{orderId}`, or a
   * parameter of `params`.
   */
  path: string;
  /**
   * Parameters of the path that identify no object of the resource and its parents, such as a tenant. `of` is the name of
   * another resource of which the parameter of a creation identifies an object: `/nodes/{node}/drain` creates a job. The
   * sandbox answers 404 without that object.
   */
  params?: Readonly<Record<string, { schema: TSchema; of?: string }>>;
  summary: string;
  description?: string;
  deprecated?: true;
  /** The scopes that a key needs, all of them. */
  scopes: readonly string[];
  /** The query parameters, except those of the paging. */
  query?: Readonly<Record<string, { schema: TSchema; required?: true }>>;
  /**
   * The body of the request. `type` is the media type of the API's body, such as `application/merge-patch+json`; without
   * it, `application/json`. The sandbox accepts both. `in` is the field of the body that contains the values of the object,
   * such as `data`; without it, the body contains them itself.
   */
  input?: { schema: TSchema; required?: true; type?: string; in?: string };
  status: number;
  content: Content;
  /**
   * The response of a `replace` by PUT that creates the object in the path, because no object has its identifier. Its content
   * is that of the operation, unless it has its own. Without `creates`, such a request is answered 404.
   */
  creates?: { status: number; content?: Content };
  /** The state of the object after the operation. */
  becomes?: string;
}
