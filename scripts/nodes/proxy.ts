// A plain proxy in front of equivalent nodes. Each request goes to the next ready node, and everything is forwarded as
// it arrives, so that streams work. If a node cannot be reached, another one is tried. After a node has accepted a
// request, the request is never repeated.
import { Agent, createServer, type IncomingMessage, request as open, type ServerResponse } from 'node:http';

export interface Target {
  port: number;
  /** The port of its /readyz. */
  monitoringPort: number;
}

export interface PlainProxy {
  /** Sets the targets of further requests. */
  setTargets(targets: readonly Target[]): void;
  /** Resolves when this many targets are ready. */
  ready(count: number): Promise<void>;
  /** Resolves when the target has no request in progress and gets no further ones. */
  drained(target: Target): Promise<void>;
  close(): void;
}

const LOOK_EVERY_MS = 100;
/** Headers that concern one connection only. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade']);

export async function startProxy(address: { host: string; port: number }): Promise<PlainProxy> {
  const agent = new Agent({ keepAlive: true });
  let targets: readonly Target[] = [];
  const ready = new Set<Target>();
  const underway = new Map<Target, number>();
  let turn = 0;

  async function look(target: Target): Promise<void> {
    const isReady = await fetch(`http://127.0.0.1:${target.monitoringPort}/readyz`, {
      signal: AbortSignal.timeout(2_000),
    })
      .then(async (answer) => {
        await answer.arrayBuffer();
        return answer.ok;
      })
      .catch(() => false);
    if (isReady && targets.includes(target)) ready.add(target);
    else ready.delete(target);
  }
  const timer = setInterval(() => targets.forEach((target) => void look(target)), LOOK_EVERY_MS);

  function forward(request: IncomingMessage, response: ServerResponse, tried: readonly Target[]): void {
    const left = targets.filter((target) => !tried.includes(target));
    // If no target is ready, all are tried: a late response is better than none.
    const choice = left.some((target) => ready.has(target)) ? left.filter((target) => ready.has(target)) : left;
    const target = choice[turn++ % choice.length];
    if (target) forwardTo(target, request, response, [...tried, target]);
    else response.writeHead(502, { 'content-type': 'text/plain' }).end('There is no node.\n');
  }

  function forwardTo(
    target: Target,
    request: IncomingMessage,
    response: ServerResponse,
    tried: readonly Target[],
  ): void {
    const count = (by: number): void => void underway.set(target, (underway.get(target) ?? 0) + by);
    count(1);
    const onward = open({
      agent,
      host: '127.0.0.1',
      port: target.port,
      method: request.method,
      path: request.url,
      headers: headersOf(request),
      setHost: false,
    });
    onward.once('close', () => count(-1));
    onward.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, forwardedHeaders(answer.rawHeaders));
      response.flushHeaders();
      answer.pipe(response);
      answer.once('close', () => answer.complete || response.destroy());
    });
    onward.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && !response.headersSent) forward(request, response, tried);
      // The client must see that the node broke off, as without a proxy.
      else response.destroy();
    });
    response.once('close', () => response.writableFinished || onward.destroy());
    request.pipe(onward);
  }

  const server = createServer((request, response) => forward(request, response, []));
  // Streams end only when one side ends them.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, resolve);
  });

  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const wait = (): void => void (isSo() ? resolve() : setTimeout(wait, 5));
      wait();
    });
  return {
    setTargets(next) {
      targets = next;
      for (const target of ready) if (!next.includes(target)) ready.delete(target);
    },
    ready: (count) => until(() => ready.size >= count),
    drained: (target) => until(() => !ready.has(target) && !underway.get(target)),
    close() {
      clearInterval(timer);
      agent.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}

function headersOf(request: IncomingMessage): string[] {
  const known = request.headers['x-forwarded-for'];
  const forwarded = [...(known === undefined ? [] : [known].flat()), request.socket.remoteAddress ?? ''];
  return [...forwardedHeaders(request.rawHeaders, 'x-forwarded-for'), 'x-forwarded-for', forwarded.join(', ')];
}

/** Returns the headers without those of one connection and without `except`. Repeated headers stay separate. */
function forwardedHeaders(raw: readonly string[], except?: string): string[] {
  const kept: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2);
    if (!HOP_BY_HOP.has(name.toLowerCase()) && name.toLowerCase() !== except) kept.push(name, value);
  }
  return kept;
}
