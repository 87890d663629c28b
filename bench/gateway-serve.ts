// The servers of the gateway benchmark, each as a separate process. `gateway-serve.ts platform` is a bare HTTP server
// that answers with the requested server. `proxy URL` is a bare HTTP server that forwards headers and body unchanged
// through an undici pool. `gateway URL` is production on the database in the environment. Prints its address.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { secret } from '../server/src/kit/crypto/secret.ts';
import { createProductionApi } from '../server/src/listeners/production-api.ts';
import { createGateway } from '../server/src/production/gateway/index.ts';
import { openBenchPlane } from './plane.ts';

const [mode = '', url = ''] = process.argv.slice(2);

const SERVER = {
  name: 'Harbour Lights',
  slug: 'harbour-lights',
  description: 'Night photographers of the northern ports.',
  iconUrl: 'https://icons.example.org/harbour-lights.png',
  locale: 'en-GB',
  timezone: 'Europe/London',
  memberCount: 1842,
  createdAt: '2023-04-11T09:30:00.000Z',
};

const upstream: RequestListener = (request, response) => {
  const id = request.url?.split('/')[3];
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id, ...SERVER }));
};

function proxy(): RequestListener {
  const pool = new Pool(url, { connections: 64 });
  return (request, response) => {
    pool
      .request({ method: 'GET', path: request.url ?? '/', headers: { accept: 'application/json' } })
      .then(({ statusCode, headers, body }) => {
        response.writeHead(statusCode, { 'content-type': String(headers['content-type']) });
        body.pipe(response);
      })
      .catch(() => response.destroy());
  };
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP address
}

function gateway(): Promise<string> {
  const { plane, recorder } = openBenchPlane(process.env.BENCH_DATABASE_URL ?? '', undefined, 'production');
  const way = createGateway({ url, identityKey: secret('an identity key for benchmarks only') });
  const onInternalError = (error: unknown): void => console.error(error);
  return createProductionApi(plane, way, { recorder, trustedProxies: [], onInternalError }).listen({
    host: '127.0.0.1',
    port: 0,
  });
}

console.log(await (mode === 'gateway' ? gateway() : listen(mode === 'proxy' ? proxy() : upstream)));
process.on('SIGTERM', () => process.exit(0));
