// Builds the capture of a request: its headers and bodies after masking.
import { Readable } from 'node:stream';
import type { BodyState } from '../../access/authority/index.ts';
import type { AnsweredRequest } from '../../kit/http/mount.ts';
import { type MaskedBody, maskJson, maskText, NO_BODY, NOT_TEXT } from './mask-body.ts';
import { maskHeaders } from './mask-headers.ts';

/** The parts of a request and its response from which a capture is built, after both have ended. */
export interface CapturedExchange {
  request: Pick<AnsweredRequest['request'], 'headers' | 'body' | 'bodyText'>;
  operation: AnsweredRequest['exchange']['operation'];
  status: number | null;
  response: { headers: Readonly<Record<string, unknown>>; payload: unknown };
}

/** A capture without the response body, as it is sealed. */
interface CaptureText {
  requestBody: BodyState;
  responseBody: BodyState;
  /** JSON of `SealedMessages`. */
  text: string;
}

export interface SealedMessages {
  request: { headers: Record<string, string>; maskedHeaders: string[]; body: string | null; maskedPointers: string[] };
  response: { headers: Record<string, string>; maskedHeaders: string[] };
  /** Absent if the response body is stored once for several requests. */
  content?: SealedContent;
}

export interface SealedContent {
  body: string | null;
  maskedPointers: string[];
}

/** Bytes that a body may have to be parsed and masked. A longer one is not stored. */
const MAX_MASKED_BYTES = 1024 * 1024;

function maskRequestBody({ request, operation }: CapturedExchange, names: ReadonlySet<string>): MaskedBody {
  const { headers, body, bodyText } = request;
  const isSent = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
  if (bodyText === undefined) return isSent ? NOT_TEXT : NO_BODY;
  // Without a value, the text is no JSON, and sensitive values in it cannot be found.
  if (body === undefined) return NOT_TEXT;
  // A sensitive value in the wrong place is a field that the schema does not describe.
  return maskJson(bodyText, () => body, { schema: operation?.body, names, appliesTo: 'unknown_fields' });
}

/** Returns the response body as text. Returns null without a body, and undefined if it is no text. */
export function textOfResponse({ response }: CapturedExchange): string | null | undefined {
  const { payload, headers } = response;
  if (payload === undefined || payload === null || payload === '') return null;
  const type = String(headers['content-type'] ?? '');
  if (payload instanceof Readable || !/[/+]json\b|^text\//i.test(type)) return undefined;
  if (typeof payload === 'string') return payload;
  return Buffer.isBuffer(payload) ? payload.toString() : undefined;
}

export function maskResponseBody(exchange: CapturedExchange, text: string, names: ReadonlySet<string>): MaskedBody {
  if (text.length > MAX_MASKED_BYTES) return NOT_TEXT;
  const { operation, status, response } = exchange;
  if (!/json/i.test(String(response.headers['content-type']))) return maskText(text);
  const schema = status === null ? undefined : operation?.replies?.[status]?.schema;
  try {
    return maskJson(text, () => JSON.parse(text), { schema, names, appliesTo: 'every_field' });
  } catch {
    return NOT_TEXT;
  }
}

/** `names` are the names of sensitive fields. `isShared`: the response body is stored once for several requests. */
export function buildCapture(
  exchange: CapturedExchange,
  response: MaskedBody,
  { names, isShared }: { names: ReadonlySet<string>; isShared: boolean },
): CaptureText {
  const { state: requestBody, ...body } = maskRequestBody(exchange, names);
  const { state: responseBody, ...content } = response;
  const messages: SealedMessages = {
    request: { ...maskHeaders(exchange.request.headers), ...body },
    response: maskHeaders(exchange.response.headers),
    ...(!isShared && { content }),
  };
  return { requestBody, responseBody, text: JSON.stringify(messages) };
}
