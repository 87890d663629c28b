// Shows the API reads of the page as commands and programs to copy. The token is a variable in all of them.
import { Drawer, Stack, Tabs, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CodeBlock } from '../../kit/code-block.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { PAGE_READS, type PageLocation } from './page-reads.ts';
import { type PageRead, snippetsOf } from './snippets.ts';

interface PageApiDrawerProps {
  /** In router syntax, with the names of its parameters. */
  address: string;
  params: Readonly<Record<string, string | undefined>>;
  search: PageLocation['search'];
  onClose: () => void;
}

export function PageApiDrawer({ address, params, search, onClose }: PageApiDrawerProps): ReactNode {
  const [nowMs] = useState(Date.now);
  const { organisationId = '', appId = '', endpointId = '', requestId = '' } = params;
  const location = { params: { organisationId, appId, endpointId, requestId }, search, nowMs };
  const reads = new Map(Object.entries(PAGE_READS)).get(address)?.(location) ?? [];
  return (
    <Drawer opened onClose={onClose} position="right" size={640} title="Get this by API">
      <Stack gap="lg">
        <Text>
          The management API reads of this page. Store an{' '}
          {organisationId === '' ? (
            'access token'
          ) : (
            <AnchorLink to="/organisations/$organisationId/team" params={{ organisationId }} onClick={onClose}>
              access token
            </AnchorLink>
          )}{' '}
          in SLIPWAY_TOKEN.
        </Text>
        {reads.length === 0 && <Text>This page shows no stored data.</Text>}
        {reads.map((one) => (
          <ReadSnippets key={one.operation} read={one} />
        ))}
      </Stack>
    </Drawer>
  );
}

function ReadSnippets({ read }: { read: PageRead }): ReactNode {
  const snippets = snippetsOf(read, window.location.origin);
  return (
    <Stack gap="xs" component="section" aria-label={read.operation}>
      <Title order={3} fz={14.5} ff="monospace">
        {read.operation}
      </Title>
      {!snippets && <Text c="dimmed">This read accepts no access token. It requires your Console session.</Text>}
      {snippets && (
        <Tabs defaultValue="curl" keepMounted={false}>
          <Tabs.List aria-label={`${read.operation} as code`}>
            <Tabs.Tab value="curl">curl</Tabs.Tab>
            <Tabs.Tab value="sdk">SDK</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="curl" pt="xs">
            <CodeBlock label="curl" wraps>
              {snippets.curl}
            </CodeBlock>
          </Tabs.Panel>
          <Tabs.Panel value="sdk" pt="xs">
            <CodeBlock label="SDK" wraps>
              {snippets.sdk}
            </CodeBlock>
          </Tabs.Panel>
        </Tabs>
      )}
    </Stack>
  );
}
