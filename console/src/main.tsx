// The entry of the Console: sets the colour scheme before anything is drawn, then draws the page of the address.
// In a layer, beneath all of ours whichever comes first.
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './app/global.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyColorScheme, colorSchemeManager } from './app/color-scheme.ts';
import { createQueries } from './app/query-client.ts';
import { createConsoleRouter } from './app/router.tsx';
import { theme, variables } from './app/theme.ts';
import { sessionQuery } from './features/session/use-session.ts';

applyColorScheme();

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
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Notifications position="bottom-right" limit={3} containerWidth={420} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
