// Entry point of the Console: renders the page of the address in place of the prerendered page. Mantine's styles are in
// a cascade layer below the Console's own, regardless of load order.
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
  // A second refusal while the sign-in page loads: the return address is already stored.
  if (location.pathname === '/sign-in') return;
  // Pages outside the shell are open to visitors.
  if (matches.some(({ routeId }) => routeId === '/shell'))
    void router.navigate({ to: '/sign-in', search: { return: href }, replace: true });
});

// The session is read while the code of the page loads.
if (router.matchRoutes(router.latestLocation).some(({ routeId }) => routeId === '/shell'))
  void queries.prefetchQuery(sessionQuery);

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');
// The prerendered page stays until the page itself is ready.
await router.load();
startTransition(() => createRoot(root).render(<Application router={router} queries={queries} />));
