// Layout of the operator pages with their navigation. Shows the server's refusal to other people.
import { Stack, Text, Title } from '@mantine/core';
import { Link, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../../identity/session/use-session.ts';
import { RowsSkeleton } from '../../kit/list-states.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useShownSection } from '../../kit/use-shown-section.ts';
import { useTitle } from '../../kit/use-title.ts';
import { WidePage } from '../../kit/wide-page.tsx';
import classes from './operator-layout.module.css';
import { OPERATOR_PAGES } from './pages.ts';
import { UpstreamAlert } from './platform-alert.tsx';
import { useSignUpPolicy } from './use-operator.ts';

export function OperatorLayout(): ReactNode {
  const session = useSession();
  const isOperator = session.data?.isOperator ?? false;
  // The session can be older than the person's appointment as operator.
  const policy = useSignUpPolicy(session.data !== undefined && !isOperator);
  const error = session.error ?? (isOperator ? null : policy.error);
  const mayEnter = isOperator || policy.data !== undefined;
  return (
    <WidePage pt="lg" pb={64}>
      <Stack gap="lg">
        <Stack gap="sm">
          <Stack gap={2}>
            <Title order={1} fz={24}>
              Operator
            </Title>
            {mayEnter && (
              <Text c="dimmed">
                This installation as a whole. Your changes, and the messages that you read, are recorded with your
                address.
              </Text>
            )}
          </Stack>
          {mayEnter && <Sections />}
        </Stack>
        {mayEnter && <UpstreamAlert />}
        {mayEnter ? (
          <Outlet />
        ) : (
          <OperatorAreaUnavailable error={error} onRetry={() => void (session.error ? session : policy).refetch()} />
        )}
      </Stack>
    </WidePage>
  );
}

function OperatorAreaUnavailable({ error, onRetry }: { error: Error | null; onRetry: () => void }): ReactNode {
  useTitle('Operator');
  return error ? <ProblemAlert error={error} onRetry={onRetry} /> : <RowsSkeleton />;
}

function Sections(): ReactNode {
  const navigation = useShownSection();
  return (
    <nav aria-label="Sections of the operator" className={classes.sections} ref={navigation}>
      {OPERATOR_PAGES.map(([path, label]) => (
        <Link key={path} to={`/operator/${path}`} search={{}} className={classes.section}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
