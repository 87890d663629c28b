// The main stories by keyboard alone. No pointer is used, and at every step the focused element must exist and show its
// focus.
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { collectPageErrors } from '../../test/browser/page-checks.ts';
import { ask, send } from '../../test/visitor.ts';
import type { ConsoleSetup } from './data-sets.ts';
import { KeyboardUser } from './keyboard-user.ts';

const PATIENCE_MS = 20_000;

export interface KeyboardResult {
  name: string;
  presses: number;
  wrong: string[];
}

/** Runs the stories one after the other in one window: each uses the results of the earlier ones. */
export async function runKeyboardTasks(
  browser: Browser,
  setup: ConsoleSetup,
  folder: string,
): Promise<KeyboardResult[]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const { complaints } = collectPageErrors(page);
  const results: KeyboardResult[] = [];
  const state: TaskState = { key: '' };
  for (const [name, task] of Object.entries(KEYBOARD_TASKS)) {
    const typist = new KeyboardUser(page);
    const before = complaints.length;
    try {
      await task(typist, setup, state);
    } catch (error) {
      const what = error instanceof Error ? error.message.split('\n').slice(0, 4).join(' ') : error;
      typist.wrong.push(`at ${page.url()}: ${what}`);
      await page.screenshot({ path: join(folder, `keyboard-${name.replaceAll(/\W+/g, '-')}-failed.png`) });
    }
    const wrong = [...new Set([...typist.wrong, ...complaints.slice(before)])];
    results.push({ name, presses: typist.presses, wrong });
  }
  await context.close();
  return results;
}

interface TaskState {
  key: string;
}

type KeyboardTask = (typist: KeyboardUser, setup: ConsoleSetup, state: TaskState) => Promise<void>;

const dialogOf = ({ page }: KeyboardUser): Locator => page.getByRole('dialog');

async function closeOnceShown(typist: KeyboardUser): Promise<void> {
  const dialog = dialogOf(typist);
  await typist.go('checkbox', 'I have stored it', dialog);
  await typist.press('Space');
  await typist.enter('button', 'Close', dialog);
  await dialog.waitFor({ state: 'detached' });
}

async function createTicket({ apiUrl }: ConsoleSetup, key: string, subject: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const { body } = await ask<{ data: { id: string }[] }>(`${apiUrl}/v1/servers?limit=1`, { headers });
  const made = await send(`${apiUrl}/v1/servers/${body.data[0]?.id}/tickets`, { subject, body: 'Typed.' }, headers);
  if (made.status !== 201) throw new Error(`The ticket was answered ${made.status}.`);
}

const KEYBOARD_TASKS: Readonly<Record<string, KeyboardTask>> = {
  'sign in': async (typist, { consoleUrl, account, params }) => {
    await typist.page.goto(`${consoleUrl}/sandbox/${params.typed.organisationId}/apps`);
    await typist.go('textbox', 'E-mail address');
    await typist.type(account.email);
    await typist.go('textbox', 'Password');
    await typist.type(account.password);
    await typist.press('Enter');
    await typist.page.getByText('Register your first app').waitFor();
  },

  'register an app': async (typist) => {
    await typist.go('textbox', 'Name');
    await typist.type('Typed bridge');
    await typist.enter('button', 'Register');
    await typist.page.waitForURL(/\/overview$/);
    await typist.keeps('the app was registered');
  },

  'generate a key': async (typist, _, state) => {
    await typist.enter('button', 'Generate a key');
    const dialog = dialogOf(typist);
    await typist.go('textbox', 'Name', dialog);
    await typist.type('Typed key');
    for (const scope of ['servers:read', 'events:read', 'tickets:create']) {
      await typist.go('checkbox', new RegExp(`^${scope}`), dialog);
      await typist.press('Space');
    }
    await typist.enter('button', 'Generate', dialog);
    state.key = ((await typist.page.getByLabel('The key').textContent()) ?? '').trim();
    await closeOnceShown(typist);
    await typist.keeps('the key was stored');
  },

  'add an endpoint': async (typist, { receiver }) => {
    await typist.enter('button', 'Add an endpoint');
    const dialog = dialogOf(typist);
    await typist.go('textbox', 'URL', dialog);
    await typist.type(`http://${receiver.host}/switch`);
    // The only key that can deliver is selected already.
    await dialog
      .getByText(/^Typed key/)
      .first()
      .waitFor();
    await typist.enter('button', 'Add', dialog);
    await closeOnceShown(typist);
    await typist.keeps('the secret was stored');
  },

  'see the first request and the first delivery': async (typist, setup, { key }) => {
    await createTicket(setup, key, 'Typed first');
    await typist.enter('link', 'Open the Request Inspector');
    const { page } = typist;
    await page.waitForURL(/\/requests/);
    await typist.keeps('a link was followed');
    await typist.enter('link', /\/tickets$/, page.getByRole('table', { name: 'Requests' }));
    await dialogOf(typist).getByText('Trace').first().waitFor();
    await typist.press('Escape');
    await dialogOf(typist).waitFor({ state: 'detached' });
    await typist.keeps('the drawer was closed');
    await typist.palette('Webhooks');
    await page.getByRole('table', { name: 'Deliveries' }).getByText('succeeded').first().waitFor();
  },

  'a failed delivery, its cause, and a redelivery': async (typist, setup, { key }) => {
    setup.receiver.answering = 500;
    await createTicket(setup, key, 'Typed second');
    await setup.failWaiting();
    setup.receiver.answering = 204;
    const { page } = typist;
    const deliveries = page.getByRole('table', { name: 'Deliveries' });
    await deliveries.getByText('failed').first().waitFor();
    const row = deliveries.getByRole('row').filter({ hasText: 'failed' }).first();
    await typist.enter('link', /./, row);
    await dialogOf(typist).getByText('answered 500').first().waitFor();
    await typist.enter('button', 'Redeliver', dialogOf(typist));
    await dialogOf(typist).getByText('a manual redelivery').first().waitFor();
    await dialogOf(typist).getByText('succeeded').first().waitFor();
    await typist.keeps('the event was sent again');
    await typist.press('Escape');
    await dialogOf(typist).waitFor({ state: 'detached' });
    await typist.keeps('the delivery was closed');
  },

  'revoke an installation': async (typist) => {
    await typist.palette('Installations');
    const { page } = typist;
    const whole = page.getByRole('button', { name: /^Whole installation on .*: authorised/ }).first();
    await whole.waitFor();
    const name = (await whole.getAttribute('aria-label'))?.replace(/: authorised$/, '') ?? '';
    await typist.enter('button', `${name}: authorised`);
    const revoke = page.getByRole('menuitem', { name: /^Revoke/ });
    await revoke.waitFor();
    for (let downs = 0; downs < 5 && (await revoke.and(page.locator(':focus')).count()) === 0; downs += 1) {
      await typist.press('ArrowDown');
    }
    await typist.press('Enter');
    await typist.enter('button', /^Revoke/, dialogOf(typist));
    await page.getByRole('button', { name: `${name}: revoked` }).waitFor();
    await dialogOf(typist).waitFor({ state: 'detached' });
    await typist.keeps('the installation was revoked');
  },

  'revoke the key': async (typist) => {
    await typist.palette('Keys');
    await typist.enter('button', 'Revoke Typed key');
    await typist.enter('button', 'Revoke the key', dialogOf(typist));
    await typist.page
      .getByRole('table', { name: 'Keys' })
      .getByText('revoked', { exact: true })
      .filter({ visible: true })
      .waitFor();
    await dialogOf(typist).waitFor({ state: 'detached' });
    await typist.keeps('the row of the key has no buttons');
  },

  'the sheet of shortcuts, and the search of the reference': async (typist) => {
    const { page } = typist;
    await typist.press('Shift+?');
    await dialogOf(typist).getByText('In the command palette').waitFor();
    await typist.press('Escape');
    await dialogOf(typist).waitFor({ state: 'detached' });
    await typist.keeps('the sheet was closed');
    await typist.palette('Reference');
    await page.getByPlaceholder(/press \//).waitFor();
    await typist.press('/');
    await page.locator('input:focus').waitFor();
    await typist.type('createTicket');
    await page
      .getByRole('link', { name: /Create a ticket/ })
      .first()
      .waitFor();
    await typist.enter('link', /Create a ticket/);
    await page.waitForURL(/\/reference\/operations\/createTicket$/);
    await typist.keeps('an entry was opened');
  },
};
