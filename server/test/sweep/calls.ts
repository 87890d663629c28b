// Calls over HTTP, of /v1 and of the Console.
import type { Dispatcher, Pool } from 'undici';

export interface Called {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export interface Calls {
  /** Of /v1, with the key when there is one. */
  callApi(method: string, path: string, token: string | undefined, body?: unknown): Promise<Called>;
  /** Of the Console, as whoever has these cookies. */
  callConsole(method: string, path: string, cookie: string, body?: unknown): Promise<Called>;
}

/** Of events without an end the first. */
async function textOf({ headers, body }: Dispatcher.ResponseData): Promise<string> {
  if (!String(headers['content-type']).startsWith('text/event-stream')) return body.text();
  for await (const piece of body) return String(piece);
  return '';
}

export function createCalls(api: Pool, console: Pool): Calls {
  let address = 0;
  async function call(pool: Pool, method: string, path: string, own: Record<string, string>, body: unknown) {
    address += 1; // each from its own: what is counted by address is not what is swept
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
