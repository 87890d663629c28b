// What the rules say about a call: the verdict, each rule with what mends it, and what a list leaves out.
import { Code, Group, List, Stack, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AccessExplanation } from '../../kit/api.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { Panel } from '../../kit/panel.tsx';
import { StateBadge, Tag } from '../../kit/state-badge.tsx';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { Inline } from '../../platform/reference/prose.tsx';
import { OUTCOMES, RULE_WORDS, verdictWords } from './access-words.ts';

export function AccessAnswer({ answer }: { answer: AccessExplanation }): ReactNode {
  const { isAllowed, scope, resourceScope, rules, leftOut, areAllJudged, notJudged } = answer;
  return (
    <Stack>
      <Group gap="sm" role="status">
        <StateBadge tone={isAllowed ? 'good' : 'bad'}>{isAllowed ? 'allowed' : 'refused'}</StateBadge>
        <Title order={3} fz={15}>
          {verdictWords(answer)}
        </Title>
        <Tag isCode>{scope ?? 'any key'}</Tag>
        {resourceScope !== null && <Tag isCode>{resourceScope}</Tag>}
      </Group>
      {rules.length > 0 && <Rules rules={rules} />}
      {leftOut !== null && leftOut.length > 0 && <LeftOut servers={leftOut} areAllJudged={areAllJudged} />}
      <Stack gap={4}>
        <Title order={3} fz={14.5}>
          Not part of this
        </Title>
        <List size="sm" c="dimmed">
          {notJudged.map((one) => (
            <List.Item key={one}>
              <Inline>{one}</Inline>
            </List.Item>
          ))}
        </List>
      </Stack>
    </Stack>
  );
}

function Rules({ rules }: { rules: AccessExplanation['rules'] }): ReactNode {
  return (
    <Panel>
      <Table aria-label="Rules">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Rule</Table.Th>
            <Table.Th scope="col" w={130}>
              Outcome
            </Table.Th>
            <Table.Th scope="col" visibleFrom="sm">
              Otherwise
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rules.map(({ rule, outcome, code, mend }) => (
            <Table.Tr key={rule}>
              <Table.Td>
                {RULE_WORDS[rule]}
                {mend !== null && (
                  <Text c="dimmed" fz="xs">
                    <Inline>{mend}</Inline>
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <StateBadge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].words}</StateBadge>
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Code>{code}</Code>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}

interface LeftOutProps {
  servers: NonNullable<AccessExplanation['leftOut']>;
  areAllJudged: boolean;
}

function LeftOut({ servers, areAllJudged }: LeftOutProps): ReactNode {
  const scope = useAppScope();
  return (
    <Stack gap={4}>
      <Title order={3} fz={14.5}>
        Left out of the list
      </Title>
      <Panel>
        <Table aria-label="Servers that are left out">
          <Table.Tbody>
            {servers.map(({ serverId, serverName, rule, code }) => (
              <Table.Tr key={serverId}>
                <Table.Td>
                  <AnchorLink
                    to="/in/$organisationId/apps/$appId/installations/history"
                    params={scope}
                    search={{ server: serverId }}
                  >
                    {serverName}
                  </AnchorLink>
                </Table.Td>
                <Table.Td>Not so: {RULE_WORDS[rule].toLowerCase()}</Table.Td>
                <Table.Td visibleFrom="sm">
                  <Code>{code}</Code>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Panel>
      {!areAllJudged && <Text c="dimmed">Only the newest servers were looked at: there may be more.</Text>}
    </Stack>
  );
}
