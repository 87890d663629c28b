// What was on the screen tells most of why a test waited in vain. Set up for each file: whatever they share is loaded for the first alone.
import { afterEach } from 'vitest';
import { takePicture, visited } from './browser.ts';

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const [at, { page, refusals }] of visited.filter((one) => !one.page.isClosed()).entries()) {
    await takePicture(page, `${task.name} ${at}`);
    const text = await page.locator('body').innerText();
    console.log(`After "${task.name}", ${page.url()} shows:\n${text}\nRefused on the way:\n${refusals.join('\n')}`);
  }
});
