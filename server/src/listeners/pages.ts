// The built pages of the Console and what they load. Every address of the Console that is not a file is a page of the one application,
// which knows its own routes and says so itself when there is no such page; those it knows come with their first picture.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PACKAGE_FOLDER } from '../config/package-folder.ts';

const BUILT = fileURLToPath(new URL('../console/dist/', PACKAGE_FOLDER));

// A name as the build gives them, without a way out of their folder.
const ASSET = /^[\w-][\w.-]*$/;

// Where there are pages: mails link to some, and the identity provider leads back to one.
const PAGE_PATHS = [
  ...['/', '/organisations', '/organisations/*', '/account', '/sandbox/*', '/production/*', '/operator', '/operator/*'],
  ...['/sign-in', '/sign-in/provider', '/sign-up', '/reset-password', '/invitation'],
];

// Also of what is not compressed: a cache between must not give it to everybody.
const COMPRESSED = { vary: 'accept-encoding' };

interface DrawnPage {
  path: string;
  file: string;
  isForMembers: boolean;
}

// A browser that goes to an address, not a program that asks for data or a page that asks for a file.
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

/** Forbids caches to store any answer except the files of the build. Headers of an operation or a plane do not change this. */
export function forbidStoring(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isFile(request, reply)) reply.header('cache-control', 'no-store');
    done(null, payload);
  });
}

/** Without a build there are none. */
export async function addPages(app: FastifyInstance): Promise<void> {
  if (!existsSync(BUILT)) return;
  await app.register(fastifyStatic, { root: BUILT, serve: false, cacheControl: false, preCompressed: true });
  app.get<{ Params: { name: string } }>('/assets/:name', FILE, ({ params: { name } }, reply) => {
    if (!ASSET.test(name)) return reply.callNotFound();
    const headers = { 'cache-control': 'public, max-age=31536000, immutable', ...COMPRESSED };
    return reply.headers(headers).sendFile(`assets/${name}`);
  });
  app.get('/favicon.svg', FILE, (_request, reply) =>
    reply.header('cache-control', 'max-age=86400').sendFile('favicon.svg'),
  );
  const pageFrom = (file: string) => (_request: unknown, reply: FastifyReply) =>
    reply.headers({ 'cache-control': 'no-cache', ...COMPRESSED }).sendFile(file);
  const pages = drawnPages();
  for (const { path, file, isForMembers } of pages) {
    const send = pageFrom(file);
    app.get(
      path,
      FILE,
      isForMembers ? (request, reply) => (isVisitor(request) ? toSignIn(request, reply) : send(request, reply)) : send,
    );
  }
  const page = pageFrom('index.html');
  const isDrawn = new Set(pages.map(({ path }) => path));
  for (const path of PAGE_PATHS) if (!isDrawn.has(path)) app.get(path, FILE, page);
  app.get('/*', (request, reply) => (isNavigation(request) ? page(request, reply.code(404)) : reply.callNotFound()));
}

// Without the cookie of a session, whatever that would be worth: nobody is shown the frame of a page that they are then led away from.
function isVisitor({ headers: { cookie = '' } }: FastifyRequest): boolean {
  return !/(^|; ?)(__Host-)?slipway_session=/.test(cookie);
}

// The end of the address is said, or the browser would take along what stood after the hash: there the sign-in page looks for a token.
function toSignIn({ url }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const location = `/sign-in?return=${encodeURIComponent(url)}#`;
  return reply.code(302).headers({ location, 'cache-control': 'no-store', vary: 'cookie' }).send();
}

/** Those that have a first picture, as scripts/first-pictures.mjs lists them. */
function drawnPages(): DrawnPage[] {
  return JSON.parse(readFileSync(join(BUILT, 'pages.json'), 'utf8')) as DrawnPage[]; // as that script has written them
}
