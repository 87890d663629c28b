// What an answer says beside its body.
import { type ProblemFields, SlipwayError, SlipwayProblem } from './errors.ts';

/** How much of the key's rate is left, as of the answer. */
export interface RateLimit {
  /** How many requests a window holds. */
  limit: number | undefined;
  /** How many are left of it. */
  remaining: number;
  /** In how many seconds there will be more. */
  resetSeconds: number | undefined;
}

export interface ResponseInfo {
  status: number;
  /** For the Request Inspector and for support. */
  requestId: string;
  rateLimit: RateLimit | undefined;
  /** True when this is the stored answer of an earlier request with the same idempotency key. */
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

/** The value of a successful answer; throws the problem of another. */
export function readAnswer(response: Response, text: string, isText: boolean): unknown {
  if (!response.ok) throw new SlipwayProblem(problemOf(response, text));
  if (isText) return text;
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SlipwayError(`The answer (HTTP ${response.status}) is not JSON; is this the address of an API?`, {
      cause,
    });
  }
}

// A proxy on the way may answer with something that is no problem of ours.
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
      ? 'A redirect is not followed, for it would take the key elsewhere; correct baseUrl.'
      : undefined,
    retryAfter: retryAfterOf(headers, Date.now()),
  };
  if (!/\bproblem\+json\b/.test(headers.get('content-type') ?? '')) return fallback;
  try {
    return { ...fallback, ...(JSON.parse(text) as Partial<ProblemFields>) }; // its content type says that it is one
  } catch {
    return fallback;
  }
}

/** Retry-After in seconds, whether it came as seconds or as a date; a date is measured by the answerer's own clock. */
export function retryAfterOf(headers: Headers, nowMs: number): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const untilMs = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(untilMs)) return undefined;
  const fromMs = Date.parse(headers.get('date') ?? '');
  return Math.max(0, (untilMs - (Number.isNaN(fromMs) ? nowMs : fromMs)) / 1000);
}
