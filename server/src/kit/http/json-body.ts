// How a body is read: as JSON in UTF-8, once what has to be proved of its bytes is proved. Why it is refused is said here.
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ProblemError, problem } from '../openapi/problems.ts';

export function parseJsonBodies(app: FastifyInstance): void {
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    request.bodyBytes = body.length;
    if (!isPlainUtf8(request.headers))
      return done(problem('unsupported_media_type', { detail: PLAIN_UTF8 }), undefined);
    try {
      request.proveBody?.(body as Buffer); // parsed as a buffer
      request.proveBody = undefined;
    } catch (error) {
      return done(error as Error, undefined); // a problem
    }
    // A body-less POST with a JSON content type is an empty body, which validation then judges.
    if (body.length === 0) return done(null, undefined);
    if (!isUtf8(body as Buffer)) {
      return done(problem('invalid_request', { detail: 'The body is not valid UTF-8.' }), undefined);
    }
    const text = body.toString();
    app.getDefaultJsonParser('error', 'error')(request, text, (error, value) => {
      done(error === null ? null : refuseJson(text), value);
    });
  });
}

const PLAIN_UTF8 = 'Send the body not packed, in UTF-8: no `Content-Encoding`, and no other `charset`.';

// The parser refuses names that would reach an object's prototype; what the plain one takes was refused for those.
function refuseJson(text: string): ProblemError {
  try {
    JSON.parse(text);
  } catch {
    return problem('invalid_request', { detail: 'The body is not valid JSON.' });
  }
  const detail = 'The body has a field name that is not allowed: `__proto__`, or `prototype` in a `constructor`.';
  return problem('invalid_request', { detail });
}

// JSON is UTF-8 (RFC 8259, section 8.1), and bodies are not packed.
function isPlainUtf8(headers: FastifyRequest['headers']): boolean {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1];
  const encoding = headers['content-encoding'] ?? 'identity';
  return /^utf-?8$/i.test(charset ?? 'utf-8') && encoding.trim().toLowerCase() === 'identity';
}
