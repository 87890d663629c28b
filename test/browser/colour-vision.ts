// Measures the brightness of a page's frame point by point, as the browser simulates a kind of colour vision.
import type { Page } from 'playwright-core';

export const COLOUR_VISIONS = ['none', 'protanopia', 'deuteranopia', 'tritanopia', 'achromatopsia'] as const;

export interface FrameBrightness {
  /** The mean brightness, from 0 to 255, and its deviation. */
  mean: number;
  deviation: number;
}

const END_OF_BAR = { x: 8, y: 8, width: 200, height: 16 };

/** Measures the frame. `paper` is an empty page on which pictures are read. */
export async function measureFrame(
  page: Page,
  paper: Page,
  url: string,
  theme: string,
): Promise<{ seen: FrameBrightness[]; words: string | null; icon: string }> {
  await page.goto(url);
  const bar = page.locator('header [data-environment]');
  await bar.waitFor();
  await page.evaluate((value) => document.documentElement.setAttribute('data-mantine-color-scheme', value), theme);
  const devtools = await page.context().newCDPSession(page);
  const seen: FrameBrightness[] = [];
  for (const type of COLOUR_VISIONS) {
    await devtools.send('Emulation.setEmulatedVisionDeficiency', { type });
    const picture = await page.screenshot({ clip: END_OF_BAR });
    seen.push(await paper.evaluate(brightnessOf, `data:image/png;base64,${picture.toString('base64')}`));
  }
  await devtools.send('Emulation.setEmulatedVisionDeficiency', { type: 'none' });
  await devtools.detach();
  return { seen, words: await bar.textContent(), icon: await bar.locator('svg').innerHTML() };
}

/** Runs in the page. */
async function brightnessOf(url: string): Promise<FrameBrightness> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('There is no canvas.');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const points: number[] = [];
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
    points.push(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  }
  const mean = points.reduce((sum, one) => sum + one, 0) / points.length;
  const variance = points.reduce((sum, one) => sum + (one - mean) ** 2, 0) / points.length;
  return { mean, deviation: Math.sqrt(variance) };
}
