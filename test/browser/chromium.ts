// The Chromium of the packages, or an installed Chrome on other platforms.
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

// Without the package's own arguments: a single process with an emulated graphics card takes twice as long.
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
/**
 * Arguments for tests that do not measure speed. The code of a page runs too briefly for optimising compilers to pay
 * off.
 */
export const NO_OPTIMISING_COMPILER = ['--js-flags=--no-opt --no-maglev --min-semi-space-size=32'];

/** Unpacks Chromium if necessary and returns its path; undefined if the packages have none for this platform. */
export async function findChromium(): Promise<string | undefined> {
  const isBundled = process.platform === 'linux' && process.arch === 'x64';
  return isBundled ? chromium.executablePath() : undefined;
}

export function launchChromium(executablePath: string | undefined, more: readonly string[] = []): Promise<Browser> {
  return executablePath === undefined
    ? playwright.launch({ channel: 'chrome', args: [...more] })
    : playwright.launch({ executablePath, args: [...ARGUMENTS, ...more] });
}
