// Shows one named schema.
import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Panel } from '../../kit/panel.tsx';
import { Fields } from './fields.tsx';
import { Prose } from './prose.tsx';
import type { NamedSchema, Reference } from './reference.ts';

export function SchemaView({ named, reference }: { named: NamedSchema; reference: Reference }): ReactNode {
  const { name, schema } = named;
  const version = 'x-schema-version' in schema ? String(schema['x-schema-version']) : undefined;
  return (
    <Stack gap="md" maw={760}>
      <Title order={2} fz={20} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Title>
      {version && <Text c="dimmed">Component version {version}: of this part of the contract, not of an event</Text>}
      <Prose>{schema.description ?? ''}</Prose>
      <Panel p="sm">
        <Fields document={reference.document} schema={schema} />
      </Panel>
    </Stack>
  );
}
