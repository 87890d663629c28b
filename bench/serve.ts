// A server under load, as a separate process: `serve.ts static FILE` (responses by name), `serve.ts guarded FILE` (the
// same after authentication) or `serve.ts api|api-without-record|api-with-captures`. All but the first use the database in the
// environment. Prints its address when it listens.
import { readFileSync } from 'node:fs';
import Fastify, { type FastifyInstance } from 'fastify';
import { openCaptures } from '../server/src/boot/captures.ts';
import { openExchange } from '../server/src/kit/http/exchange.ts';
import { createSandboxApi } from '../server/src/listeners/sandbox-api.ts';
import { openBenchPlane } from './plane.ts';

const [mode = '', file = ''] = process.argv.slice(2);

const databaseUrl = process.env.BENCH_DATABASE_URL ?? '';

function staticServer() {
  const answers: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'));
  const app = Fastify();
  if (mode === 'guarded') guard(app);
  for (const [name, json] of Object.entries(answers)) {
    app.get(`/${name}`, (_request, reply) => reply.type('application/json; charset=utf-8').send(json));
  }
  return app;
}

/** Authenticates at the same point as the complete API: before anything else. */
function guard(app: FastifyInstance): void {
  const { authority } = openBenchPlane(databaseUrl).plane;
  app.decorateRequest('exchange');
  app.addHook('onRequest', async (request) => {
    request.exchange = openExchange();
    await authority.authenticate(request);
  });
}

async function apiServer() {
  const open = openBenchPlane(databaseUrl);
  const silent = { record: async () => true, recordUnreadableInput: async () => {} };
  const onError = (error: unknown): void => console.error(error);
  return createSandboxApi(open.plane, {
    recorder: mode === 'api-without-record' ? silent : open.recorder,
    captures:
      mode === 'api-with-captures'
        ? openCaptures(open, { isAllowed: true, retentionHours: 24 }, onError).queue
        : undefined,
    trustedProxies: [],
    onInternalError: onError,
  });
}

const app = await (file ? staticServer() : apiServer());
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
process.on('SIGTERM', () => process.exit(0));
