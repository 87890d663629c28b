// The demo's app with a day of calls and deliveries, and a browser in which its owner is signed in. On a Postgres that the tests reach too.
import type { Browser, Page } from 'playwright-core';
import { fromId } from '../../server/src/kit/ids.ts';
import { type ExternalPostgres, startExternalPostgres } from '../external-postgres.ts';
import { makePlace, type Place } from '../slipway.ts';
import { readNote } from '../visitor.ts';
import { launch, type Visit, visit } from './browser.ts';

export interface Stocked extends Visit {
  place: Place;
  page: Page;
  /** The address of the demo's app. */
  base: string;
  organisationId: string;
  appId: string;
  /** Of the owner's session. */
  cookie: string;
  query: ExternalPostgres['query'];
  close(): Promise<void>;
}

export async function makeStocked(): Promise<Stocked> {
  const [postgres, place] = await Promise.all([startExternalPostgres(), makePlace()]);
  let browser: Browser | undefined;
  const close = async (): Promise<void> => {
    await browser?.close();
    await place.remove();
    await postgres.remove();
  };
  try {
    await place.start(postgres.settings).ready;
    browser = await launch();
    const visited = await visit(browser);
    const base = await signIn(visited.page, place);
    const [organisationId = '', appId = ''] = [/org_\w+/.exec(base)?.[0], /app_\w+/.exec(base)?.[0]];
    const cookies = await visited.page.context().cookies();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    await postgres.query(REQUESTS(fromId('app', appId)));
    await postgres.query(DELIVERIES(fromId('app', appId)));
    return { ...visited, place, base, organisationId, appId, cookie, query: postgres.query, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function signIn(page: Page, place: Place): Promise<string> {
  await page.goto(`${place.consoleUrl}/sign-in#link=${readNote(place).link}`);
  await page.getByRole('button', { name: 'Sign in as the owner' }).click();
  await page.getByLabel('New password').fill('a long sentence is a good one');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByRole('link', { name: 'Demo app' }).click();
  await page.waitForURL(/\/apps\/app_\w+\/overview$/);
  return page.url().replace(/\/overview$/, '');
}

/** SQL of the identifier of what was made then, and of a moment so many minutes ago. */
export const idAt = (ms: string, i: string): string =>
  `(lpad(to_hex(${ms}), 12, '0') || '70008000' || lpad(to_hex(${i}), 12, '0'))::uuid`;
export const msAgo = (minutes: string): string => `(extract(epoch from now()) * 1000)::bigint - (${minutes}) * 60000`;

/** 1200 calls of the last twenty hours, of which one in ten was refused, one in fifty failed, and the last hours took longer. */
const REQUESTS = (appId: string | undefined): string => `
  insert into request_records (app_id, request_id, at, duration_us, authority_us, status, method, path, response_bytes)
  select '${appId}', ${idAt('ms', 'i')}, to_timestamp(ms / 1000.0),
    (1500 + 400 * (i % 7)) * case when i < 300 then 12 else 1 end * case when i % 33 = 0 then 9 else 1 end, 100,
    case when i % 50 = 0 then 500 when i % 10 = 0 then 404 else 200 end, 'GET', '/v1/servers', 12
  from generate_series(5, 1204) i, lateral (select ${msAgo('i')} as ms)`;

/** 200 deliveries of the last ten hours to the demo's endpoint; for two hours nothing succeeded. */
const DELIVERIES = (appId: string | undefined): string => `
  with made as (
    insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, trigger, status, created_at, finished_at)
    select e.app_id, ${idAt('ms', 'i')}, e.endpoint_id, gen_random_uuid(), e.key_id, 'scheduled',
      case when i between 60 and 100 then 'failed' else 'succeeded' end, to_timestamp(ms / 1000.0), now()
    from generate_series(1, 200) i, lateral (select ${msAgo('i * 3')} as ms), endpoints e
    where e.app_id = '${appId}'
    returning *)
  insert into attempts (app_id, delivery_id, attempt_no, started_at, duration_us, outcome, status)
  select app_id, delivery_id, 1, created_at, 1000, 'response', case status when 'failed' then 500 else 204 end from made`;
