// The configuration of `npm run pictures`, which takes the pictures of the documentation. It is no test suite: it
// asserts nothing, and its output is committed.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/browser/pictures.ts'],
    globalSetup: ['test/browser/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
