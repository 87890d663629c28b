// The forecast of a change, part by part, over all records of an app.
import { toId } from '../server/src/kit/crypto/ids.ts';
import { addressOf, assertionOf } from './inspector-queries.ts';
import type { Result } from './kit.ts';
import type { RecordedApp } from './many-records.ts';
import { measureParts } from './parts.ts';

interface Part {
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

function measureForecast(url: string, app: RecordedApp, name: string, change: object): Promise<Result> {
  return measureParts(name, async (cursor) => {
    const response = await fetch(`${addressOf(url, app)}/access-forecasts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await assertionOf(app)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...change, cursor }),
    });
    if (response.status !== 200) throw new Error(`${name}: ${response.status} ${await response.text()}`);
    const part = (await response.json()) as Part; // the operation's response
    return { part, examined: part.requests.examined };
  });
}
