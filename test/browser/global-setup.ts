// Unpacks the Chromium of the packages, once: two files that did it side by side would run what the other one still writes.
import chromium from '@sparticuz/chromium';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined where the packages have none for this platform. */
    chromiumPath: string | undefined;
  }
}

export default async function setup(project: TestProject): Promise<void> {
  const isBundled = process.platform === 'linux' && process.arch === 'x64';
  project.provide('chromiumPath', isBundled ? await chromium.executablePath() : undefined);
}
