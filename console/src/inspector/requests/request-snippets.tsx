// Shows the request as code that the server generates: curl, fetch and SDK. The code contains no key.
import { Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type AppScope, api } from '../../kit/api.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';

export function RequestSnippets({ scope, requestId }: { scope: AppScope; requestId: string }): ReactNode {
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.requests(scope), 'snippets', requestId],
    queryFn: ({ signal }) => api.getRequestSnippets({ ...scope, requestId }, { signal }),
    staleTime: Number.POSITIVE_INFINITY, // a record never changes
  });
  return (
    <Stack gap="xs">
      <Title order={3} fz={14.5}>
        As code
      </Title>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton height={150} radius="sm" />}
      {data && <Languages {...data} />}
    </Stack>
  );
}

interface LanguagesProps {
  curl: string;
  fetch: string;
  sdk: string | null;
  isComplete: boolean;
}

function Languages({ curl, fetch, sdk, isComplete }: LanguagesProps): ReactNode {
  const languages = [
    ['curl', 'curl', curl],
    ['fetch', 'fetch', fetch],
    ['sdk', 'SDK', sdk],
  ] as const;
  return (
    <>
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List aria-label="Code snippet">
          {languages.map(([value, label]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {languages.map(([value, label, text]) => (
          <Tabs.Panel key={value} value={value} pt="xs">
            {text === null ? (
              <Text>The SDK has no method for this request.</Text>
            ) : (
              <CodeBlock label={`As ${label}`} wraps>
                {text}
              </CodeBlock>
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
      <Text c="dimmed" fz="xs">
        The code reads the key from SLIPWAY_KEY.
        {!isComplete && ' The code is incomplete: add the values that the record does not store.'}
      </Text>
    </>
  );
}
