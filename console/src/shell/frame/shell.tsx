// Layout of every page of a signed-in person: environment, header and content.
import { AppShell } from '@mantine/core';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { ENVIRONMENT, isEnvironmentPath } from '../../kit/environment-path.ts';
import { CONTENT_ID } from '../../kit/panel.tsx';
import { EnvironmentBar, EnvironmentLine } from './environment-frame.tsx';
import classes from './frame.module.css';
import { Header } from './header.tsx';

const BAR_PX = 30;
const HEADER_PX = 54;

export function Shell(): ReactNode {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const environment = isEnvironmentPath(path) ? ENVIRONMENT : undefined;
  const main = useFocusOnNewPage(path);
  return (
    <>
      <a className="skip-link" href={`#${CONTENT_ID}`}>
        Skip to the content
      </a>
      <EnvironmentLine environment={environment} />
      <AppShell header={{ height: BAR_PX + HEADER_PX }} transitionDuration={0}>
        <AppShell.Header className={classes.header}>
          <EnvironmentBar environment={environment} />
          <Header />
        </AppShell.Header>
        <AppShell.Main id={CONTENT_ID} tabIndex={-1} ref={main} className={classes.main}>
          <Outlet />
        </AppShell.Main>
      </AppShell>
    </>
  );
}

// Without a page load, a screen reader announces a new page only if the focus moves there.
function useFocusOnNewPage(path: string) {
  const main = useRef<HTMLElement>(null);
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
}
