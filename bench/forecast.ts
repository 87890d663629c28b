// The forecast of a change, part by part, over all records of an app.
import { toId } from '../server/src/kit/crypto/ids.ts';
import { addressOf, assertionOf } from './inspector-queries.ts';
import { progress, type Result } from './kit.ts';
import type { RecordedApp } from './many-records.ts';

interface Part {
  progress: number;
  nextCursor: string | null;
  requests: { examined: number };
}

/** Forecasts the revocation of a server, which examines every record of the app, and of a key. */
export async function measureForecasts(url: string, app: RecordedApp): Promise<Result[]> {
  const serverIds = [toId('srv', app.servers[0] ?? '')];
  const keyId = toId('key', app.keys[0] ?? '');
  return [
    await measureForecast(url, app, 'forecast of a revoked server', { grants: { serverIds, state: 'revoked' } }),
    await measureForecast(url, app, 'forecast of a revoked key', { key: { keyId, state: 'revoked' } }),
  ];
}

async function measureForecast(url: string, app: RecordedApp, name: string, change: object): Promise<Result> {
  const beganMs = performance.now();
  const partsMs: number[] = [];
  let part: Part | undefined;
  do {
    const partBeganMs = performance.now();
    const response = await fetch(`${addressOf(url, app)}/access-forecasts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await assertionOf(app)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...change, ...(part && { cursor: part.nextCursor }) }),
    });
    if (response.status !== 200) throw new Error(`${name}: ${response.status} ${await response.text()}`);
    part = (await response.json()) as Part; // the operation's response
    partsMs.push(performance.now() - partBeganMs);
  } while (part.nextCursor !== null);
  const seconds = (performance.now() - beganMs) / 1000;
  const { examined } = part.requests;
  progress(`${name}: ${examined.toLocaleString('en')} records in ${seconds.toFixed(1)} s, ${partsMs.length} parts`);
  const sorted = partsMs.sort((one, other) => one - other);
  return {
    name: `${name}, per 10,000,000 records`,
    value: (seconds * 1e7) / examined,
    unit: 's',
    reference: null,
    ratio: null,
    p50Ms: sorted[Math.floor(sorted.length / 2)] ?? null,
    p99Ms: sorted.at(-1) ?? null,
  };
}
