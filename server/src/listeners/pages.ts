// Serves the built pages of the Console and their files. Every address that is not a file is a page of the single-page
// application. The application knows its own routes and also shows that a page does not exist. Known pages have a
// prerendered document.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PACKAGE_FOLDER } from '../config/package-folder.ts';
import { addDocs } from './docs.ts';

const BUILT = fileURLToPath(new URL('../console/dist/', PACKAGE_FOLDER));

// A file name of the build, which cannot leave its folder.
const ASSET = /^[\w-][\w.-]*$/;

// Paths of the pages. Mails link to some of them, and the identity provider redirects to one.
const PAGE_PATHS = [
  ...['/', '/organisations', '/organisations/*', '/account', '/sandbox/*', '/production/*', '/operator', '/operator/*'],
  ...['/sign-in', '/sign-in/provider', '/sign-up', '/reset-password', '/invitation'],
];

// Also for uncompressed files: a cache must not serve one encoding to all clients.
const COMPRESSED = { vary: 'accept-encoding' };

interface PrerenderedPage {
  path: string;
  file: string;
  isForMembers: boolean;
}

// Returns true for a browser's navigation. Programs ask for data, and pages ask for files.
function isNavigation({ url, headers }: FastifyRequest): boolean {
  const path = url.replace(/\?.*$/, '');
  return /\btext\/html\b/.test(headers.accept ?? '') && !/^\/api(\/|$)|\.[^/]*$/.test(path);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the route answers with a file of the build. Such a route decides about caching itself. */
    sendsFile?: boolean;
  }
}

const FILE = { config: { sendsFile: true } };

/** Returns true if the answer is a file of the build. An error or a redirect of the same route is not a file. */
const isFile = ({ routeOptions }: FastifyRequest, { statusCode }: FastifyReply): boolean =>
  routeOptions.config.sendsFile === true && (statusCode === 200 || statusCode === 206 || statusCode === 304);

/**
 * Forbids caches to store any answer except the files of the build. Headers of an operation or a plane do not change
 * this.
 */
export function forbidCaching(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isFile(request, reply)) reply.header('cache-control', 'no-store');
    done(null, payload);
  });
}

const SCRIPT_PATH = '/contract.js';

/**
 * Adds the pages. Does nothing without a build. The pages load the script, if there is one, before the code of the
 * Console.
 */
export async function addPages(app: FastifyInstance, script: string | undefined): Promise<void> {
  if (!existsSync(BUILT)) return;
  await app.register(fastifyStatic, { root: BUILT, serve: false, cacheControl: false, preCompressed: true });
  addDocs(app);
  app.get<{ Params: { name: string } }>('/assets/:name', FILE, ({ params: { name } }, reply) => {
    if (!ASSET.test(name)) return reply.callNotFound();
    const headers = { 'cache-control': 'public, max-age=31536000, immutable', ...COMPRESSED };
    return reply.headers(headers).sendFile(`assets/${name}`);
  });
  app.get('/favicon.svg', FILE, (_request, reply) =>
    reply.header('cache-control', 'max-age=86400').sendFile('favicon.svg'),
  );
  if (script !== undefined)
    app.get(SCRIPT_PATH, (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script));
  const pageFrom = script === undefined ? sendBuilt : sendWithScript;
  const pages = readPrerenderedPages();
  for (const { path, file, isForMembers } of pages) {
    const send = pageFrom(file);
    app.get(
      path,
      FILE,
      isForMembers
        ? (request, reply) => (lacksSessionCookie(request) ? redirectToSignIn(request, reply) : send(request, reply))
        : send,
    );
  }
  const page = pageFrom('index.html');
  const prerenderedPaths = new Set(pages.map(({ path }) => path));
  for (const path of PAGE_PATHS) if (!prerenderedPaths.has(path)) app.get(path, FILE, page);
  app.get('/*', (request, reply) => (isNavigation(request) ? page(request, reply.code(404)) : reply.callNotFound()));
}

const sendBuilt = (file: string) => (_request: unknown, reply: FastifyReply) =>
  reply.headers({ 'cache-control': 'no-cache', ...COMPRESSED }).sendFile(file);

function sendWithScript(file: string) {
  const html = readFileSync(join(BUILT, file), 'utf8').replace(
    '<head>',
    `<head><script src="${SCRIPT_PATH}"></script>`,
  );
  return (_request: unknown, reply: FastifyReply) =>
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(html);
}

// Checks only whether there is a session cookie, so that no visitor sees the frame of a page before the redirect to the
// sign-in.
function lacksSessionCookie({ headers: { cookie = '' } }: FastifyRequest): boolean {
  return !/(^|; ?)(__Host-)?slipway_session=/.test(cookie);
}

// The location ends with an empty fragment. Otherwise the browser would keep the previous one, where the sign-in page
// looks for a token.
function redirectToSignIn({ url }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const location = `/sign-in?return=${encodeURIComponent(url)}#`;
  return reply.code(302).headers({ location, 'cache-control': 'no-store', vary: 'cookie' }).send();
}

/** Returns the pages with a prerendered document, as scripts/prerender.mjs lists them. */
function readPrerenderedPages(): PrerenderedPage[] {
  return JSON.parse(readFileSync(join(BUILT, 'pages.json'), 'utf8')) as PrerenderedPage[]; // written by that script
}
