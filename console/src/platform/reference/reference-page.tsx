// The reference of /v1, built from the contract that the sandbox serves. Every entry is searchable and has its own
// address; every operation can be tried.
import { Skeleton, Stack, Text } from '@mantine/core';
import { Outlet, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AnchorLink } from '../../kit/links.tsx';
import { RowsSkeleton } from '../../kit/list-states.tsx';
import { SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { useTitle } from '../../kit/use-title.ts';
import { NotFound } from '../../shell/frame/not-found.tsx';
import { EventView } from './event-view.tsx';
import { OperationView } from './operation-view.tsx';
import { ProblemView } from './problem-view.tsx';
import { Prose } from './prose.tsx';
import classes from './reference.module.css';
import { ReferenceNav } from './reference-nav.tsx';
import { SchemaView } from './schema-view.tsx';
import { useReference } from './use-reference.ts';

export function ReferencePage(): ReactNode {
  const { name } = useParams({ strict: false });
  const { data: reference, error, refetch } = useReference();
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  return (
    <div className={classes.layout} data-item={name}>
      {reference ? <ReferenceNav reference={reference} /> : <NavSkeleton />}
      {reference ? <Outlet /> : <RowsSkeleton rows={12} height={18} />}
    </div>
  );
}

function NavSkeleton(): ReactNode {
  return (
    <div className={classes.nav}>
      <Stack gap={14}>
        <Skeleton height={36} />
        {Array.from({ length: 14 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical and never move
          <Skeleton key={index} height={16} width={`${90 - ((index * 23) % 45)}%`} />
        ))}
      </Stack>
    </div>
  );
}

export function ReferenceHome(): ReactNode {
  const { data: reference } = useReference();
  useTitle('Reference');
  if (!reference) return null;
  const { operations, events, problems } = reference;
  const counts = [`${operations.length} operations`, `${problems.length} problems`];
  if (events.length > 0) counts.splice(1, 0, `${events.length} event types`);
  return (
    <Stack gap="md">
      <SectionHead title={`${reference.title} ${reference.version}`}>{counts.join(', ')}.</SectionHead>
      <Prose>{reference.description}</Prose>
      <Prose>
        Try each operation from here with a key of this app. The key is named by its id, and current access rules apply.
        The secret is not stored and not needed.
      </Prose>
      <Stack gap={6} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {reference.tags.map(({ name, description }) => (
          <Text key={name} component="li">
            <strong>{name}</strong>: {description}
          </Text>
        ))}
      </Stack>
    </Stack>
  );
}

export function ReferenceItem(): ReactNode {
  const scope = useAppScope();
  const { kind, name } = useParams({ strict: false });
  const { data: reference } = useReference();
  useTitle(name, 'Reference');
  if (!reference) return null;
  return (
    <Stack gap="md" miw={0}>
      <div className={classes.back}>
        <AnchorLink to="/in/$organisationId/apps/$appId/reference" params={scope}>
          ← All of the reference
        </AnchorLink>
      </div>
      <Item key={`${kind}/${name}`} kind={kind} name={name} reference={reference} />
    </Stack>
  );
}

interface ItemProps {
  kind: string | undefined;
  name: string | undefined;
  reference: NonNullable<ReturnType<typeof useReference>['data']>;
}

function Item({ kind, name, reference }: ItemProps): ReactNode {
  const operation = kind === 'operations' && reference.operations.find((one) => one.id === name);
  if (operation) return <OperationView operation={operation} reference={reference} />;
  const event = kind === 'events' && reference.events.find((one) => one.id === name);
  if (event) return <EventView event={event} reference={reference} />;
  const problem = kind === 'problems' && reference.problems.find((one) => one.code === name);
  if (problem) return <ProblemView problem={problem} reference={reference} />;
  const schema = kind === 'schemas' && reference.schemas.find((one) => one.name === name);
  if (schema) return <SchemaView named={schema} reference={reference} />;
  return <NotFound />;
}
