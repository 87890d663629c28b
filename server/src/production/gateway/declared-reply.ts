// The response of the upstream API to an operation of an operator's contract, as the response of Slipway. Only values
// that the contract declares are passed on.
import { type AnyResource, valueAt } from '../../access/contracts/index.ts';
import { fillPath } from '../../kit/http/paths.ts';
import { typeName } from '../../kit/http/preferred-type.ts';
import type { OriginResult } from '../../kit/outbound/outbound-origin.ts';
import { locationOf } from '../../resources/objects/index.ts';
import { envelopeBody, listBody, type NamedObject, pageLinksOf } from '../../resources/operations/index.ts';
import { type DeclaredOperation, keyIn, objectIn, requireNamed, serverIn } from './declared-operation.ts';
import type { ForwardContext } from './forward-read.ts';
import {
  fieldsOf,
  jsonOf,
  requireMatch,
  requireStatus,
  toValidJson,
  UpstreamFailureError,
} from './upstream-response.ts';

interface DeclaredReply {
  status: number;
  /** Undefined without a body. */
  json: string | Buffer | undefined;
  contentType?: string;
  /** The object in the response. */
  object?: Fields;
}

interface ExpectedReply {
  named: readonly NamedObject[];
  /** The server whose grants were checked; undefined if only the response names it. */
  serverId: string | undefined;
  isRepeat?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** Throws unless each object of a list is one that the request names, on the server whose grants were checked. */
export function requireItems(
  resource: AnyResource,
  items: readonly Fields[],
  { named, serverId }: Pick<ExpectedReply, 'named' | 'serverId'>,
): void {
  for (const item of items) {
    requireNamed(resource, named, item);
    const server = serverIn(resource, item);
    requireMatch(serverId === undefined || server === undefined || server === serverId);
  }
}

/** Returns the reply of an operation, except the page of a list. Throws if the response concerns another object or server. */
export function readReply(
  { operation, inputs, plane }: ForwardContext,
  { resource, declared }: DeclaredOperation,
  result: OriginResult,
  { named, serverId, isRepeat = false }: ExpectedReply,
): DeclaredReply {
  const isCreation = 'status' in result && result.status === declared.creates?.status;
  const { status, content } = isCreation ? { ...declared, ...declared.creates } : declared;
  const response = requireStatus(result, status, { operation, isRepeat, refusesBodies: true });
  switch (content.of) {
    case 'nothing':
      return { status, json: undefined };
    case 'file': {
      const { body, headers } = response;
      const given = typeName(String(headers['content-type'] ?? ''));
      const contentType = content.types.find((type) => typeName(type) === given);
      requireMatch(headers['content-encoding'] === undefined);
      if (body.length > content.maxBytes) throw new UpstreamFailureError('too_large', true);
      if (contentType === undefined) throw new UpstreamFailureError('form', true);
      return { status, json: body, contentType };
    }
    case 'object': {
      const given = jsonOf(response, content.type);
      const object = objectIn(given, { resource, content, named });
      const server = serverIn(resource, object);
      requireMatch(serverId === undefined || server === undefined || server === serverId);
      const key = keyIn(resource, resource, object);
      const location = key && locationOf(resource, { ...inputs.params, [resource.idName]: key });
      const self = location === undefined ? [] : [plane.urls.public + location];
      const whole = envelopeBody(content, object, { given, known: { self } });
      // The object was validated alone.
      const schema = content.around && operation.replies[status]?.schema;
      return { status, json: schema ? toValidJson(schema, whole) : JSON.stringify(whole), object };
    }
    case 'list': {
      const given = jsonOf(response, content.type);
      const listed = valueAt(given, content.in);
      requireMatch(Array.isArray(listed));
      const items = (listed as unknown[]).map(fieldsOf); // checked by requireMatch
      requireItems(resource, items, { named, serverId });
      const url = plane.urls.public + fillPath(operation.path, inputs.params);
      const known = pageLinksOf(url, content, inputs.query, { next: null, skip: 0, limit: 1, isMore: false });
      return {
        status,
        json: toValidJson(operation.replies[status]?.schema, listBody(content, items, null, { given, known })),
      };
    }
    default:
      return { status, json: toValidJson(operation.replies[status]?.schema, jsonOf(response, content.type)) };
  }
}
