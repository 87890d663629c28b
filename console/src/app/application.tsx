// Wraps every page, in the browser and in the prerendered page.
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, StrictMode } from 'react';
import { FocusRestorer } from '../kit/focus-restorer.tsx';
import { Hints } from '../kit/hints.tsx';
import { colorSchemeManager } from './color-scheme.ts';
import type { ConsoleRouter } from './router.tsx';
import { theme, variables } from './theme.ts';

interface ApplicationProps {
  router: ConsoleRouter;
  queries: QueryClient;
}

export function Application({ router, queries }: ApplicationProps): ReactNode {
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        defaultColorScheme="auto"
        colorSchemeManager={colorSchemeManager}
      >
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
          <Hints />
          <FocusRestorer />
          <Notifications position="bottom-right" limit={3} containerWidth={420} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
}
