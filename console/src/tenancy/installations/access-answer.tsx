// Shows the decision about a call: the verdict, each rule with its solution, and servers that a list omits.
import { Code, Group, List, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AccessExplanation } from '../../kit/api.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { Inline } from '../../kit/inline.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { Panel } from '../../kit/panel.tsx';
import { StateBadge, Tag } from '../../kit/state-badge.tsx';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { describeAccess, OUTCOMES, RULE_LABELS } from './access-labels.ts';

export function AccessAnswer({ answer }: { answer: AccessExplanation }): ReactNode {
  const { isAllowed, scope, resourceScope, rules, omittedServers, isComplete, notEvaluated } = answer;
  return (
    <Stack>
      <Group gap="sm" role="status">
        <StateBadge tone={isAllowed ? 'good' : 'bad'}>{isAllowed ? 'allowed' : 'refused'}</StateBadge>
        <Title order={3} fz={15}>
          {describeAccess(answer)}
        </Title>
        <Tag isCode>{scope ?? 'any key'}</Tag>
        {resourceScope !== null && <Tag isCode>{resourceScope}</Tag>}
      </Group>
      {rules.length > 0 && (
        <Panel>
          <DataTable
            label="Rules"
            columns={hasSeveralScopes(rules) ? RULE_COLUMNS : RULE_COLUMNS_OF_ONE_SCOPE}
            rows={brokenFirst(rules)}
            rowKey={({ rule, scope }) => `${rule} ${scope}`}
          />
        </Panel>
      )}
      {omittedServers !== null && omittedServers.length > 0 && (
        <OmittedServers servers={omittedServers} isComplete={isComplete} />
      )}
      <Stack gap={4}>
        <Title order={3} fz={14.5}>
          Not evaluated
        </Title>
        <List size="sm" c="dimmed">
          {notEvaluated.map((one) => (
            <List.Item key={one}>
              <Inline>{one}</Inline>
            </List.Item>
          ))}
        </List>
      </Stack>
    </Stack>
  );
}

const brokenFirst = (rules: AccessExplanation['rules']): AccessExplanation['rules'] =>
  rules.toSorted((a, b) => Number(b.outcome === 'broken') - Number(a.outcome === 'broken'));

/** Only several scopes of an operation repeat a rule: the rules about the scope of an event’s resource have other names. */
const hasSeveralScopes = (rules: AccessExplanation['rules']): boolean =>
  new Set(rules.map(({ rule }) => rule)).size < rules.length;

const RULE_COLUMNS: Column<AccessExplanation['rules'][number]>[] = [
  {
    head: 'Rule',
    cell: ({ rule, fix }) => (
      <>
        {RULE_LABELS[rule]}
        {fix && (
          <Text c="dimmed" fz="xs">
            <Inline>{fix}</Inline>
          </Text>
        )}
      </>
    ),
  },
  {
    head: 'Outcome',
    w: 130,
    cell: ({ outcome }) => <StateBadge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].words}</StateBadge>,
  },
  { head: 'Scope', fold: ({ scope }) => scope, from: 'sm', cell: ({ scope }) => scope && <Code>{scope}</Code> },
  { head: 'Consequence', from: 'sm', cell: ({ code }) => <Code>{code}</Code> },
];
const RULE_COLUMNS_OF_ONE_SCOPE = RULE_COLUMNS.filter(({ head }) => head !== 'Scope');

interface OmittedServersProps {
  servers: NonNullable<AccessExplanation['omittedServers']>;
  isComplete: boolean;
}

const OMITTED_SERVER_COLUMNS: Column<OmittedServersProps['servers'][number]>[] = [
  { head: 'Server', cell: (server) => <OmittedServer server={server} /> },
  { head: 'Rule', cell: ({ rule }) => <>Failed: {RULE_LABELS[rule].toLowerCase()}</> },
  { head: 'Scope', fold: ({ scope }) => scope, from: 'sm', cell: ({ scope }) => <Code>{scope}</Code> },
  { head: 'Code', from: 'sm', cell: ({ code }) => <Code>{code}</Code> },
];

function OmittedServer({
  server: { serverId, serverName },
}: {
  server: OmittedServersProps['servers'][number];
}): ReactNode {
  return (
    <AnchorLink
      to="/in/$organisationId/apps/$appId/installations/history"
      params={useAppScope()}
      search={{ server: serverId }}
    >
      {serverName}
    </AnchorLink>
  );
}

function OmittedServers({ servers, isComplete }: OmittedServersProps): ReactNode {
  return (
    <Stack gap={4}>
      <Title order={3} fz={14.5}>
        Omitted from the list
      </Title>
      <Panel>
        <DataTable
          label="Omitted servers"
          isHeadless
          columns={OMITTED_SERVER_COLUMNS}
          rows={servers}
          rowKey={({ serverId }) => serverId}
        />
      </Panel>
      {!isComplete && <Text c="dimmed">Only the newest servers were checked: there can be more.</Text>}
    </Stack>
  );
}
