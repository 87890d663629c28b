// The receivers of the guide, which tests run. The guide is their only source.
import { Anchor, Stack, Tabs, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import guide from '../../../../docs/webhooks/receiving.md?raw';
import { CodeBlock } from '../../kit/code-block.tsx';
import { guideAddress } from '../../kit/guides.ts';

const LANGUAGES = [
  { language: 'js', label: 'Node' },
  { language: 'python', label: 'Python' },
  { language: 'go', label: 'Go' },
];

/** Returns the code of the guide's first example in the language. */
const exampleIn = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)\\n\`\`\`$`, 'ms').exec(guide)?.[1] ?? '';

export function ReceiverCode(): ReactNode {
  return (
    <Stack gap="xs">
      <Tabs defaultValue="js" keepMounted={false}>
        <Tabs.List aria-label="Language">
          {LANGUAGES.map(({ language, label }) => (
            <Tabs.Tab key={language} value={language}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {LANGUAGES.map(({ language, label }) => (
          <Tabs.Panel key={language} value={language} pt="xs">
            <CodeBlock label={`Verify in ${label}`} maxHeight={240}>
              {exampleIn(language)}
            </CodeBlock>
          </Tabs.Panel>
        ))}
      </Tabs>
      <Text c="dimmed" fz="xs">
        The code needs no packages.{' '}
        <Anchor href={guideAddress('webhooks/receiving')} target="_blank" rel="noreferrer" inherit underline="always">
          Receive and verify webhooks
        </Anchor>{' '}
        explains it.
      </Text>
    </Stack>
  );
}
