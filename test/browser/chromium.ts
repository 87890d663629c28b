// The Chromium that comes with the packages, or on other platforms an installed Chrome.
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

// Without those that the package brings: a single process that draws by an emulated graphics card takes twice as long.
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
/** For whoever asserts nothing about speed: what a page runs for a second does not earn back the time in which a compiler makes it quick. */
export const UNHURRIED = ['--js-flags=--no-opt --no-maglev --min-semi-space-size=32'];

/** Unpacks it where that was not done yet; undefined where the packages have none for this platform. */
export async function findChromium(): Promise<string | undefined> {
  const isBundled = process.platform === 'linux' && process.arch === 'x64';
  return isBundled ? chromium.executablePath() : undefined;
}

export function launchChromium(executablePath: string | undefined, more: readonly string[] = []): Promise<Browser> {
  return executablePath === undefined
    ? playwright.launch({ channel: 'chrome', args: [...more] })
    : playwright.launch({ executablePath, args: [...ARGUMENTS, ...more] });
}
