// Reads a body as JSON in UTF-8 after its bytes were verified, and says why a body is refused.
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ProblemError, problem } from '../openapi/problems.ts';

/** Other media types of JSON. An operation accepts only the type that it declares as `bodyType`. */
const OTHER_JSON = /^application\/[\w.-]+\+json\s*(?:;|$)/i;

export function parseJsonBodies(app: FastifyInstance): void {
  for (const type of ['application/json', OTHER_JSON]) parseType(app, type);
}

function parseType(app: FastifyInstance, types: string | RegExp): void {
  app.addContentTypeParser(types, { parseAs: 'buffer' }, (request, body, done) => {
    request.bodyBytes = body.length;
    const type = request.headers['content-type'] ?? '';
    const { operation } = request.routeOptions.config;
    if (OTHER_JSON.test(type) && type.split(';')[0]?.trim().toLowerCase() !== operation?.bodyType)
      return done(problem('unsupported_media_type'), undefined);
    if (!isPlainUtf8(request.headers))
      return done(problem('unsupported_media_type', { detail: PLAIN_UTF8 }), undefined);
    try {
      request.verifyBody?.(body as Buffer); // parsed as a buffer
      request.verifyBody = undefined;
    } catch (error) {
      return done(error as Error, undefined); // a problem
    }
    // A POST without a body but with a JSON content type has an empty body, which validation judges.
    if (body.length === 0) return done(null, undefined);
    if (!isUtf8(body as Buffer)) {
      return done(problem('invalid_request', { detail: 'The body is not valid UTF-8.' }), undefined);
    }
    const text = body.toString();
    request.bodyText = text;
    app.getDefaultJsonParser('error', 'error')(request, text, (error, value) => {
      done(error === null ? null : refuseJson(text), value);
    });
  });
}

/** Adds the media types of a body to its refusal, if the operation has another one than `application/json`. */
export function withBodyTypes(refused: ProblemError, { routeOptions }: FastifyRequest): ProblemError {
  const { bodyType } = routeOptions.config.operation ?? {};
  const isOfType = refused.code === 'unsupported_media_type' && refused.extra.detail === undefined;
  if (!isOfType || bodyType === undefined) return refused;
  return problem(refused.code, {
    ...refused.extra,
    detail: `Send \`Content-Type: ${bodyType}\` or \`Content-Type: application/json\`.`,
  });
}

const PLAIN_UTF8 = 'Send the body not packed, in UTF-8: no `Content-Encoding`, and no other `charset`.';

// Fastify's parser refuses names that would reach an object's prototype. If JSON.parse accepts the text, such a name is
// the cause.
function refuseJson(text: string): ProblemError {
  try {
    JSON.parse(text);
  } catch {
    return problem('invalid_request', { detail: 'The body is not valid JSON.' });
  }
  const detail = 'The body has a field name that is not allowed: `__proto__`, or `prototype` in a `constructor`.';
  return problem('invalid_request', { detail });
}

// JSON is UTF-8 (RFC 8259, section 8.1), and bodies must not be compressed.
function isPlainUtf8(headers: FastifyRequest['headers']): boolean {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1];
  const encoding = headers['content-encoding'] ?? 'identity';
  return /^utf-?8$/i.test(charset ?? 'utf-8') && encoding.trim().toLowerCase() === 'identity';
}
