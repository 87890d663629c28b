// `npm start`: checks that Slipway can run here, builds outdated artefacts, and becomes the server.
import { existsSync } from 'node:fs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const lowest = new Map([
  [20, 19],
  [22, 12],
]);
if (major < 24 && minor < (lowest.get(major) ?? Number.POSITIVE_INFINITY)) {
  fail(
    `Slipway needs Node.js 24 or newer, 22.12 or 20.19, and this is ${process.versions.node}. Install a current one from https://nodejs.org.`,
  );
}
if (!existsSync(new URL('../node_modules', import.meta.url))) {
  fail('The dependencies are not installed yet. Run: npm ci');
}

// npm signals the shell between itself and this process, and the shell may end without forwarding the signal. If the
// shell is gone, this process ends as well.
if (process.env.npm_lifecycle_event) {
  const shell = process.ppid;
  setInterval(() => process.ppid === shell || process.kill(process.pid, 'SIGTERM'), 200).unref();
}

const { ensureBuilt } = await import('./build.mjs');
ensureBuilt();
await import('../server/dist/main.js');

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
