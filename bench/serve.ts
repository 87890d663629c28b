// A server under load, a process of its own: `serve.ts static FILE` (answers by name) or `serve.ts api|api-without-record`, the latter
// two on the database and with the secrets that the environment names. Prints its address once it listens.
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { createApi } from '../server/src/api.ts';
import { openBenchPlane } from './plane.ts';

const [mode = '', file = ''] = process.argv.slice(2);

async function staticServer() {
  const answers: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'));
  const app = Fastify();
  for (const [name, json] of Object.entries(answers)) {
    app.get(`/${name}`, (_request, reply) => reply.type('application/json; charset=utf-8').send(json));
  }
  return app;
}

async function apiServer() {
  const { plane, recorder } = openBenchPlane(process.env.BENCH_DATABASE_URL ?? '');
  const silent = { record: async () => {}, lost: () => 0 };
  return createApi(plane, {
    recorder: mode === 'api' ? recorder : silent,
    trustedProxies: [],
    onInternalError: (error) => console.error(error),
  });
}

const app = await (mode === 'static' ? staticServer() : apiServer());
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
process.on('SIGTERM', () => process.exit(0));
