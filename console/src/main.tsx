// The entry of the Console: draws the page of the address, in the place of its first picture.
// In a layer, beneath all of ours whichever comes first.
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './app/global.css';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { Application } from './app/application.tsx';
import { createQueries } from './app/query-client.ts';
import { createConsoleRouter } from './app/router.tsx';
import { sessionQuery } from './identity/session/use-session.ts';

const router = createConsoleRouter();
const queries = createQueries(() => {
  const { matches, location } = router.state;
  const { publicHref: href } = location;
  // Refused again while the page is on its way to which the first refusal led: where one was is kept already.
  if (location.pathname === '/sign-in') return;
  // The pages outside the shell are there for visitors too.
  if (matches.some(({ routeId }) => routeId === '/shell'))
    void router.navigate({ to: '/sign-in', search: { return: href }, replace: true });
});

// Who somebody is is asked while the code of their page is still on its way.
if (router.matchRoutes(router.latestLocation).some(({ routeId }) => routeId === '/shell'))
  void queries.prefetchQuery(sessionQuery);

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');
// The first picture stays until the page itself can take its place.
await router.load();
startTransition(() => createRoot(root).render(<Application router={router} queries={queries} />));
