// Calls of /v1 and of the Console over HTTP.
import type { Dispatcher, Pool } from 'undici';

export interface CallResult {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export interface Calls {
  /** Calls /v1, with the key if there is one. */
  callApi(method: string, path: string, token: string | undefined, body?: unknown): Promise<CallResult>;
  /** Calls the Console with these cookies. */
  callConsole(method: string, path: string, cookie: string, body?: unknown): Promise<CallResult>;
}

/** Returns the body, or the first piece of an endless event stream. */
async function textOf({ headers, body }: Dispatcher.ResponseData): Promise<string> {
  if (!String(headers['content-type']).startsWith('text/event-stream')) return body.text();
  for await (const piece of body) return String(piece);
  return '';
}

export function createCalls(api: Pool, console: Pool): Calls {
  let address = 0;
  async function call(pool: Pool, method: string, path: string, own: Record<string, string>, body: unknown) {
    address += 1; // each call has its own address, because limits per address are not part of the sweep
    const headers: Record<string, string> = { ...own, 'x-forwarded-for': `2001:db8:${address.toString(16)}::1` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const sent = body === undefined ? null : JSON.stringify(body);
    const answer = await pool.request({ method: method as 'GET', path, headers, body: sent }); // any method
    return { status: answer.statusCode, headers: answer.headers, text: await textOf(answer) };
  }
  return {
    callApi: (method, path, token, body) =>
      call(api, method, path, token === undefined ? {} : { authorization: `Bearer ${token}` }, body),
    callConsole: (method, path, cookie, body) => call(console, method, path, { cookie, 'slipway-console': '1' }, body),
  };
}
