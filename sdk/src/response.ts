// Reads status, headers and body of a response.
import { type ProblemFields, SlipwayError, SlipwayProblem } from './errors.ts';

/** Rate limit of the key at the time of the response. */
export interface RateLimit {
  /** Requests per window. */
  limit: number | undefined;
  /** Remaining requests in the window. */
  remaining: number;
  /** Seconds until further requests are available. */
  resetSeconds: number | undefined;
}

export interface ResponseInfo {
  status: number;
  /** Id of the request for the Request Inspector and for support. */
  requestId: string;
  rateLimit: RateLimit | undefined;
  /** True if the response is the stored response of an earlier request with the same idempotency key. */
  isReplayed: boolean;
  headers: Headers;
}

export function infoOf({ status, headers }: Response): ResponseInfo {
  return {
    status,
    requestId: headers.get('request-id') ?? '',
    rateLimit: rateLimitOf(headers),
    isReplayed: headers.get('idempotent-replayed') === 'true',
    headers,
  };
}

// `RateLimit-Policy: "default";q=100;w=1` and `RateLimit: "default";r=99;t=1`
function rateLimitOf(headers: Headers): RateLimit | undefined {
  const parameter = (header: string, name: string): number | undefined => {
    const [, digits] = new RegExp(`;\\s*${name}=(\\d+)`).exec(headers.get(header) ?? '') ?? [];
    return digits === undefined ? undefined : Number(digits);
  };
  const remaining = parameter('ratelimit', 'r');
  if (remaining === undefined) return undefined;
  return { limit: parameter('ratelimit-policy', 'q'), remaining, resetSeconds: parameter('ratelimit', 't') };
}

/** Returns the value of a successful response. Throws the problem of a refusal. */
export function readAnswer(response: Response, text: string, isText: boolean | undefined): unknown {
  if (!response.ok) throw new SlipwayProblem(problemOf(response, text));
  if (isText) return text;
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SlipwayError(
      `The response (HTTP ${response.status}) is not JSON. Check that baseUrl is the address of an API.`,
      {
        cause,
      },
    );
  }
}

// A proxy can answer with a body that is not a Slipway problem.
function problemOf(response: Response, text: string): ProblemFields {
  const { status, headers } = response;
  const isRedirect = response.type === 'opaqueredirect' || (status >= 300 && status < 400);
  const fallback: ProblemFields = {
    type: 'about:blank',
    title: response.statusText || `HTTP ${status}`,
    status,
    code: 'unknown',
    requestId: headers.get('request-id') ?? '',
    detail: isRedirect
      ? 'Redirects are not followed, because they could send the key to another origin. Correct baseUrl.'
      : undefined,
    retryAfter: retryAfterOf(headers, Date.now()),
  };
  if (!/\bproblem\+json\b/.test(headers.get('content-type') ?? '')) return fallback;
  try {
    return { ...fallback, ...(JSON.parse(text) as Partial<ProblemFields>) }; // its content type is that of a problem
  } catch {
    return fallback;
  }
}

/**
 * Returns Retry-After in seconds, from a number of seconds or from a date. A date is compared with the Date header of
 * the response.
 */
export function retryAfterOf(headers: Headers, nowMs: number): number | undefined {
  const text = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const untilMs = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(untilMs)) return undefined;
  const fromMs = Date.parse(headers.get('date') ?? '');
  return Math.max(0, (untilMs - (Number.isNaN(fromMs) ? nowMs : fromMs)) / 1000);
}
