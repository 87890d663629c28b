// Unpacks the Chromium of the packages, once: two files that did it side by side would run what the other one still writes.
import type { TestProject } from 'vitest/node';
import { findChromium } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined where the packages have none for this platform. */
    chromiumPath: string | undefined;
  }
}

export default async function setup(project: TestProject): Promise<void> {
  project.provide('chromiumPath', await findChromium());
}
