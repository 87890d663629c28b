// Builds the Console into console/dist: pages that load apart, no inline script, nothing from another origin.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/',
  plugins: [react()],
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    assetsInlineLimit: 0, // a font or picture as data: would pass the size limits unseen
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    emptyOutDir: true,
    chunkSizeWarningLimit: 600, // kB before they are compressed; a test holds what the first page may need
    license: { fileName: 'third-party-licenses.md' },
    manifest: true, // for scripts/prerender.mjs, which takes it away
    rolldownOptions: {
      output: {
        // Shared code comes in two chunks: a browser asks for six files at a time, and on a slow line each of dozens of
        // small ones would wait for its turn. The first page shows no table, no chart and no requests, so their code has
        // chunks of its own.
        codeSplitting: {
          groups: [
            {
              name: 'libraries',
              test: /node_modules\/(?!@tanstack\/(react-virtual|virtual-core))/,
              minShareCount: 2,
              priority: 2,
            },
            {
              name: 'shared',
              test: /\/(console|sdk)\/src\/(?!kit\/(data-table|use-windowed|chart-)|inspector\/requests\/)/,
              minShareCount: 3,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  server: {
    // The server of a developer next to `vite`; the header names the origin that the server expects.
    proxy: { '/api': { target: 'http://127.0.0.1:3000', headers: { origin: 'http://127.0.0.1:3000' } } },
  },
});
