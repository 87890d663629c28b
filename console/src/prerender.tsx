// Prerenders each page as HTML in its loading state. The build runs this (scripts/prerender.mjs), and the server
// sends the HTML with the document, so that a page appears before its code has loaded.
import { type AnyRoute, createMemoryHistory } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { prerender } from 'react-dom/static';
import { Application } from './app/application.tsx';
import { shell } from './app/personal-routes.tsx';
import { createQueries } from './app/query-client.ts';
import { createConsoleRouter } from './app/router.tsx';
import { ENVIRONMENT, isEnvironmentPath, toPublicPath } from './kit/environment-path.ts';

export interface PrerenderedPage {
  /** Path in router syntax: `/sandbox/:organisationId/apps`. */
  path: string;
  html: string;
  /** True if the page requires a session. */
  isForMembers: boolean;
  /** Modules of the page and of its layouts. */
  modules: string[];
}

/** Prerenders the pages of the environment that this program's location names, and the shared pages. */
export async function prerenderPages(): Promise<PrerenderedPage[]> {
  const routes = Object.values(createConsoleRouter(createMemoryHistory()).routesById as Record<string, AnyRoute>);
  const pages = routes.filter(({ children, options }) => !children && options.component && !options.beforeLoad);
  const wanted = pages.filter(({ fullPath }) => isEnvironmentPath(fullPath) || ENVIRONMENT === 'sandbox');
  const drawn: PrerenderedPage[] = [];
  for (const route of wanted) drawn.push(await renderPage(route));
  return drawn;
}

// Other pages for visitors depend on a token in the address.
const PRERENDERED_FOR_VISITORS = ['/sign-in', '/sign-up'];

async function renderPage({ fullPath, id }: AnyRoute): Promise<PrerenderedPage> {
  const shown = toPublicPath(fullPath).replace(/(?<=.)\/$/, '');
  // The name of a parameter serves as its value: no page shows it while loading.
  const history = createMemoryHistory({ initialEntries: [shown.replaceAll('$', '')] });
  const router = createConsoleRouter(history);
  await router.load();
  const queries = createQueries(() => {});
  const isForMembers = id.startsWith(shell.id);
  const isDrawn = isForMembers || PRERENDERED_FOR_VISITORS.includes(shown);
  const html = isDrawn ? await toHtml(<Application router={router} queries={queries} />) : '';
  const modules = router.state.matches.map(({ routeId }) => moduleOf(router.routesById[routeId]));
  return { path: shown.replaceAll('$', ':'), html, isForMembers, modules: modules.filter((one) => one !== undefined) };
}

/**
 * Renders to HTML. An error fails the build: React would otherwise add an inline script that renders again in the
 * browser.
 */
async function toHtml(drawn: ReactNode): Promise<string> {
  const failed: unknown[] = [];
  const { prelude } = await prerender(drawn, { onError: (error) => void failed.push(error) });
  const html = await new Response(prelude).text();
  if (failed.length > 0) throw failed[0];
  // A field's default would be the time of the build. The page fills it in.
  return html.replaceAll(/(<input [^>]*type="datetime-local"[^>]*) value="[^"]*"/g, '$1');
}

/** Returns the module that the build recorded on the component. */
function moduleOf({ options }: AnyRoute): string | undefined {
  return (options.component as { module?: string } | undefined)?.module;
}
