// The monitoring listener: liveness, readiness and metrics of the process. It authenticates no caller, so it must be
// reachable only from the operator's own tools.
import type { FastifyInstance } from 'fastify';
import { problemsAt } from '../../access/problems/index.ts';
import { checkHost } from '../../kit/http/host-header.ts';
import { createServer } from '../../kit/http/http.ts';
import { EXPOSITION_TYPE } from './exposition.ts';
import type { Readiness } from './readiness.ts';

interface MonitoringSources {
  readiness(): Promise<Readiness>;
  metrics(): Promise<string>;
}

const PATHS = ['/livez', '/readyz', '/metrics'];

export function createMonitoringListener({ readiness, metrics }: MonitoringSources): FastifyInstance {
  const app = createServer({ problems: problemsAt(''), headers: {}, trustedProxies: [] });
  app.addHook('onRequest', async ({ raw }, reply) => {
    reply.header('cache-control', 'no-store');
    const refusal = checkHost(raw);
    if (refusal === undefined) return;
    return reply.code(400).type('text/plain; charset=utf-8').send(`${refusal}\n`);
  });
  app.setNotFoundHandler((_request, reply) =>
    reply
      .code(404)
      .type('text/plain; charset=utf-8')
      .send(`There are ${PATHS.join(', ')} here.\n`),
  );
  // Concerns only the process: restarting it would not repair an unreachable database.
  app.get('/livez', (_request, reply) => reply.type('text/plain; charset=utf-8').send('ok\n'));
  app.get('/readyz', async (_request, reply) => {
    const { status, findings } = await readiness();
    const checks = findings.map(({ name, isOk, detail }) => ({ name, status: isOk ? 'ok' : 'failed', detail }));
    return reply.code(status === 'ready' ? 200 : 503).send({ status, checks });
  });
  app.get('/metrics', async (_request, reply) => reply.type(EXPOSITION_TYPE).send(await metrics()));
  return app;
}
