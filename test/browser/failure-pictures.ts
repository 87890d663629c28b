// Takes a picture of the screen if a test fails, which usually shows why it waited in vain. It is set up per file,
// because shared modules are loaded for the first file only.
import { afterEach } from 'vitest';
import { takePicture, visits } from './browser.ts';

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const [at, { page, refusals }] of visits.filter((one) => !one.page.isClosed()).entries()) {
    await takePicture(page, `${task.name} ${at}`);
    const text = await page.locator('body').innerText();
    console.log(`After "${task.name}", ${page.url()} shows:\n${text}\nRefused on the way:\n${refusals.join('\n')}`);
  }
});
