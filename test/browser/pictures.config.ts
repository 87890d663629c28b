// `npm run pictures`: takes the pictures of the documentation. No suite: it asserts nothing, and what it writes is committed.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/browser/pictures.ts'],
    globalSetup: ['test/browser/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
