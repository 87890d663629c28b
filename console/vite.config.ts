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
    emptyOutDir: true,
    rolldownOptions: {
      output: {
        // What several pages share comes in two pieces: left alone it is dozens of small ones, and on a slow line each waits for its turn.
        codeSplitting: {
          groups: [
            { name: 'libraries', test: /node_modules/, minShareCount: 3, priority: 2 },
            { name: 'shared', test: /\/(console|sdk)\/src\//, minShareCount: 3, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    // A server that runs beside `vite` in development; the header is the one that its check of the origin expects.
    proxy: { '/api': { target: 'http://127.0.0.1:3000', headers: { origin: 'http://127.0.0.1:3000' } } },
  },
});
