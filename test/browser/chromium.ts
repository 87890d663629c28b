// The Chromium that comes with the packages, or on other platforms an installed Chrome.
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

// Without those that the package brings: a single process that draws by an emulated graphics card takes twice as long.
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];

/** Unpacks it where that was not done yet; undefined where the packages have none for this platform. */
export async function findChromium(): Promise<string | undefined> {
  const isBundled = process.platform === 'linux' && process.arch === 'x64';
  return isBundled ? chromium.executablePath() : undefined;
}

export function launchChromium(executablePath: string | undefined): Promise<Browser> {
  return executablePath === undefined
    ? playwright.launch({ channel: 'chrome' })
    : playwright.launch({ executablePath, args: ARGUMENTS });
}
