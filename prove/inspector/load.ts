// Callers of /v1 that cause all kinds of responses as fast as possible, until the node dies. A request counts as
// answered with the head of its response, because these bytes have left the node.
import { Pool } from 'undici';
import { toId } from '../../server/src/kit/crypto/ids.ts';
import type { App } from '../webhooks/setup.ts';

export interface Load extends Answers {
  /** Resolves when the node is gone. Rejects if a response was of an unexpected kind. */
  ended: Promise<void>;
}

export interface Answers {
  /** Identifiers of requests with an authenticated key. */
  authenticated: string[];
  /** Identifiers of the other requests. */
  unauthenticated: string[];
}

interface LoadRequest {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  token?: string;
  body?: string;
}

const BUSY = 503;
const TICKET = JSON.stringify({ subject: 'Grüße', body: 'The reminder comes twice.' });

/**
 * Returns requests that are accepted, refused for each kind of reason, without a route, and without an authenticated
 * key.
 */
function listLoadRequests({ serverId, token }: App): LoadRequest[] {
  const tickets = `/v1/servers/${toId('srv', serverId)}/tickets`;
  const wrong = `${token.slice(0, 30)}${token[30] === 'a' ? 'b' : 'a'}${token.slice(31)}`;
  return [
    { method: 'GET', path: '/v1/servers', token },
    { method: 'GET', path: '/v1/me', token },
    { method: 'POST', path: tickets, token, body: TICKET },
    { method: 'POST', path: tickets, token, body: '{"subject":1}' },
    { method: 'POST', path: tickets, token, body: '{' },
    { method: 'GET', path: '/v1/servers?limit=0', token },
    { method: 'GET', path: '/v1/nothing', token },
    { method: 'DELETE', path: '/v1/servers', token },
    { method: 'GET', path: '/v1/servers', token: wrong },
    { method: 'GET', path: '/v1/servers' },
    { method: 'GET', path: '/v1/%zz', token },
  ];
}

export function startLoad(url: string, app: App, connections: number): Load {
  const pool = new Pool(url, { connections });
  const asks = listLoadRequests(app);
  const answers: Answers = { authenticated: [], unauthenticated: [] };

  async function call(ask: LoadRequest): Promise<void> {
    const headers: Record<string, string> = {};
    if (ask.token !== undefined) headers.authorization = `Bearer ${ask.token}`;
    if (ask.body !== undefined) headers['content-type'] = 'application/json';
    const { method, path, body = null } = ask;
    const answer = await pool.request({ method, path, headers, body });
    const isProved = ask.token === app.token;
    // A busy machine may fail to confirm the caller in time. Then the owner of the record is unknown.
    if (answer.statusCode !== BUSY) {
      answers[isProved ? 'authenticated' : 'unauthenticated'].push(String(answer.headers['request-id']));
    }
    await answer.body.dump();
    if (isProved && answer.statusCode === 401) throw new Error(`${method} ${path} was answered 401`);
  }

  /** Sends requests until the connection is gone. */
  async function caller(from: number): Promise<void> {
    for (let turn = from; ; turn++) {
      const ask = asks[turn % asks.length];
      if (ask) await call(ask);
    }
  }

  async function callAll(): Promise<void> {
    const ends = await Promise.allSettled(Array.from({ length: connections }, (_, from) => caller(from)));
    await pool.destroy();
    // The node's death ends each caller. An unexpected response is a mistake of the proof.
    const wrong = ends.find((end) => end.status === 'rejected' && /was answered/.test(String(end.reason)));
    if (wrong?.status === 'rejected') throw wrong.reason;
  }
  return { ...answers, ended: callAll() };
}
