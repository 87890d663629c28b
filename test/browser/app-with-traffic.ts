// The demo's app with a day of calls and deliveries, and a browser with its owner signed in. It runs on a Postgres that
// the tests can access too.
import type { Browser, Page } from 'playwright-core';
import { fromId } from '../../server/src/kit/crypto/ids.ts';
import { deliveriesOf, requestsOf } from '../day-of-traffic.ts';
import { type ExternalPostgres, startExternalPostgres } from '../external-postgres.ts';
import { copyPreparedData } from '../prepared-data.ts';
import { createInstance, type SlipwayInstance } from '../slipway.ts';
import { readNote } from '../visitor.ts';
import { launch, type Visit, visit } from './browser.ts';

export interface AppWithTraffic extends Visit {
  instance: SlipwayInstance;
  page: Page;
  /** The address of the demo's app. */
  base: string;
  organisationId: string;
  appId: string;
  /** The cookie of the owner's session. */
  cookie: string;
  query: ExternalPostgres['query'];
  close(): Promise<void>;
}

export async function startAppWithTraffic(): Promise<AppWithTraffic> {
  const [postgres, instance] = await Promise.all([startExternalPostgres(copyPreparedData), createInstance()]);
  let browser: Browser | undefined;
  const close = async (): Promise<void> => {
    await browser?.close();
    await instance.remove();
    await postgres.remove();
  };
  try {
    await instance.start(postgres.settings).ready;
    browser = await launch();
    const visited = await visit(browser);
    const base = await signIn(visited.page, instance);
    const [organisationId = '', appId = ''] = [/org_\w+/.exec(base)?.[0], /app_\w+/.exec(base)?.[0]];
    const cookies = await visited.page.context().cookies();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    await postgres.query(requestsOf(fromId('app', appId)));
    await postgres.query(deliveriesOf(fromId('app', appId)));
    return { ...visited, instance, base, organisationId, appId, cookie, query: postgres.query, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function signIn(page: Page, instance: SlipwayInstance): Promise<string> {
  await page.goto(`${instance.consoleUrl}/sign-in#link=${readNote(instance).link}`);
  await page.getByRole('button', { name: 'Sign in as the owner' }).click();
  await page.getByLabel('New password').fill('a long sentence is a good one');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('link', { name: 'Demo app' }).click();
  await page.waitForURL(/\/apps\/app_\w+\/overview$/);
  return page.url().replace(/\/overview$/, '');
}
