// The documentation site at /docs: files of the build, for everyone, without signing in.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { PACKAGE_FOLDER } from '../config/package-folder.ts';

const BUILT = fileURLToPath(new URL('../docs/dist/', PACKAGE_FOLDER));

// Stricter than that of the Console: no page needs an inline style.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const FILE = { config: { sendsFile: true } };

/** Serves the site if it was built. Requires `sendFile` of @fastify/static, which addPages registers. */
export function addDocs(app: FastifyInstance): void {
  if (!existsSync(BUILT)) return;
  // Only a file of this list is sent, so no address leads out of the folder.
  const files = new Set(filesIn(''));
  const send = (reply: FastifyReply, file: string, caching: string): FastifyReply =>
    reply
      .headers({ 'content-security-policy': POLICY, 'cache-control': caching, vary: 'accept-encoding' })
      .sendFile(file, BUILT);
  app.get('/docs', (_request, reply) => reply.redirect('/docs/'));
  app.get<{ Params: { '*': string } }>('/docs/*', FILE, ({ params, headers }, reply) => {
    const path = params['*'];
    const page = path === '' ? 'index.html' : path.replace(/\/?$/, '/index.html');
    if (files.has(path))
      return send(reply, path, path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
    if (!files.has(page))
      return /\btext\/html\b/.test(headers.accept ?? '')
        ? send(reply.code(404), '404.html', 'no-store')
        : reply.callNotFound();
    // A page has one address, against which a browser resolves relative ones.
    return path === '' || path.endsWith('/') ? send(reply, page, 'no-cache') : reply.redirect(`/docs/${path}/`);
  });
}

function filesIn(folder: string): string[] {
  return readdirSync(join(BUILT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesIn(path);
    return entry.name.endsWith('.br') ? [] : [path];
  });
}
