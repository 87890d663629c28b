// The first picture of each page, as HTML: what it shows while all is on its way. Drawn when the Console is built (scripts/first-pictures.mjs),
// so that the server can send it with the document: there is no code to wait for before something is seen.
import { type AnyRoute, createMemoryHistory } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { prerender } from 'react-dom/static';
import { Application } from './app/application.tsx';
import { shell } from './app/personal-routes.tsx';
import { createQueries } from './app/query-client.ts';
import { createConsoleRouter } from './app/router.tsx';
import { ENVIRONMENT, isWithin, toShown } from './kit/here.ts';

export interface FirstPicture {
  /** As a router of addresses writes them: `/sandbox/:organisationId/apps`. */
  path: string;
  html: string;
  /** Whether it is for who is signed in alone. */
  isForMembers: boolean;
  /** The modules of the page and of what surrounds it. */
  modules: string[];
}

/** Of the environment that the place of this program says, and of what is shared. */
export async function drawFirstPictures(): Promise<FirstPicture[]> {
  const routes = Object.values(createConsoleRouter(createMemoryHistory()).routesById as Record<string, AnyRoute>);
  const pages = routes.filter(({ children, options }) => !children && options.component && !options.beforeLoad);
  const wanted = pages.filter(({ fullPath }) => isWithin(fullPath) || ENVIRONMENT === 'sandbox');
  const drawn: FirstPicture[] = [];
  for (const route of wanted) drawn.push(await draw(route));
  return drawn;
}

// What the other pages for visitors show depends on a token in the address.
const DRAWN_FOR_VISITORS = ['/sign-in', '/sign-up'];

async function draw({ fullPath, id }: AnyRoute): Promise<FirstPicture> {
  const shown = toShown(fullPath).replace(/(?<=.)\/$/, '');
  // A parameter's name is as good as any other text in its place: nothing of it is shown.
  const history = createMemoryHistory({ initialEntries: [shown.replaceAll('$', '')] });
  const router = createConsoleRouter(history);
  await router.load();
  const queries = createQueries(() => {});
  const isForMembers = id.startsWith(shell.id);
  const isDrawn = isForMembers || DRAWN_FOR_VISITORS.includes(shown);
  const html = isDrawn ? await toHtml(<Application router={router} queries={queries} />) : '';
  const modules = router.state.matches.map(({ routeId }) => moduleOf(router.routesById[routeId]));
  return { path: shown.replaceAll('$', ':'), html, isForMembers, modules: modules.filter((one) => one !== undefined) };
}

/** What a page cannot draw here fails the build: the browser would be told to try it by an inline script. */
async function toHtml(drawn: ReactNode): Promise<string> {
  const failed: unknown[] = [];
  const { prelude } = await prerender(drawn, { onError: (error) => void failed.push(error) });
  const html = await new Response(prelude).text();
  if (failed.length > 0) throw failed[0];
  return html;
}

/** As the build has written it beside the component. */
function moduleOf({ options }: AnyRoute): string | undefined {
  return (options.component as { module?: string } | undefined)?.module;
}
