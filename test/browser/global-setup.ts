// Unpacks the Chromium of the packages once. Two files in parallel would run a Chromium that the other one is still
// writing.
import type { TestProject } from 'vitest/node';
import { findChromium } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined if the packages have none for this platform. */
    chromiumPath: string | undefined;
  }
}

export default async function setup(project: TestProject): Promise<void> {
  project.provide('chromiumPath', await findChromium());
}
