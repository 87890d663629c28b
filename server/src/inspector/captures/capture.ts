// A capture: the headers and bodies of one request, as a member sees them.

import type { CapturedMessage } from '../../access/authority/index.ts';
import { describedObject, namedObject, nullable, type Static, Type, text } from '../../kit/http/schema.ts';
import { CaptureStatusSchema, exampleCaptureStatus } from '../requests/index.ts';
import { exampleSnippets, RequestSnippets } from '../snippets/index.ts';

/** Bytes of UTF-8 that are stored of each body. */
export const MAX_BODY_BYTES = 64 * 1024;
export const MAX_POINTERS = 1_000;

const message = (of: string) =>
  nullable(
    describedObject(`The headers and the body of the ${of}; null if no capture is stored.`, {
      headers: Type.Record(
        Type.String({ pattern: '^[^\\u0000]{1,16384}$' }),
        text('The value of the header.', { maxLength: 16_384 }),
        { maxProperties: 2_000, additionalProperties: false, description: 'The headers, with names in lower case.' },
      ),
      maskedHeaders: Type.Array(text('The name of a header.', { maxLength: 16_384 }), {
        maxItems: 2_000,
        description: 'The headers with a masked value: credentials, cookies, and addresses of callers.',
      }),
      body: nullable(
        Type.String({
          maxLength: MAX_BODY_BYTES,
          description: 'The body, or its first 64 KiB; null without a body, and for a body that is not stored.',
        }),
      ),
      maskedPointers: Type.Array(text('A JSON Pointer into the body.', { maxLength: 20_000 }), {
        maxItems: MAX_POINTERS,
        description:
          'The masked values of the body, at most the first 1,000: values that the contract marks as sensitive, and text with one of Slipway’s keys. An empty pointer stands for the body as a whole.',
      }),
    }),
  );

export const Capture = namedObject('Capture', 'The stored headers and bodies of a request.', {
  status: CaptureStatusSchema,
  request: message('request'),
  response: message('response'),
  snippets: nullable({
    ...RequestSnippets,
    description:
      'The request as code, with its real body if the capture stores it whole and unmasked; null if no capture is stored.',
  }),
});
export type Capture = Static<typeof Capture>;

const exampleMessage = (headers: Record<string, string>, maskedHeaders: string[], body: string): CapturedMessage => ({
  headers,
  maskedHeaders,
  body,
  maskedPointers: [],
});

export const exampleCapture: Capture = {
  status: exampleCaptureStatus,
  request: exampleMessage(
    { authorization: '[string of 61 characters]', 'content-type': 'application/json', 'content-length': '44' },
    ['authorization'],
    '{"subject":"Hello","body":"From the bridge."}',
  ),
  response: exampleMessage(
    { 'content-type': 'application/problem+json; charset=utf-8' },
    [],
    '{"title":"Missing scope","status":403,"code":"missing_scope"}',
  ),
  snippets: exampleSnippets,
};
