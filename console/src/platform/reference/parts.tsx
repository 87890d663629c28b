// Parts of a reference page: a titled section, and a body with fields and examples.
import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../kit/code-block.tsx';
import { Panel } from '../../kit/panel.tsx';
import {
  type BodyDescription,
  type Document,
  type Example,
  type NamedExample,
  type Parameter,
  resolve,
} from './document.ts';
import { Field, Fields, TypeText } from './fields.tsx';
import classes from './reference.module.css';

export function Part({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <Stack gap={8} component="section">
      <Title order={3} fz={15.5}>
        {title}
      </Title>
      {children}
    </Stack>
  );
}

export function pretty(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** Returns `aTicket` as "A ticket". */
function words(name: string): string {
  const spaced = name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

export function ExampleBlock({ example, label }: { example: NamedExample; label: string }): ReactNode {
  return <CodeBlock label={`${label}: ${example.summary ?? words(example.name)}`}>{pretty(example.value)}</CodeBlock>;
}

export function BodyPart({ document, body }: { document: Document; body: BodyDescription }): ReactNode {
  if (!body.schema) return null;
  return (
    <Panel p="sm">
      <Text fz="xs" c="dimmed" mb={4}>
        {body.contentType} · <TypeText document={document} schema={body.schema} />
      </Text>
      <Fields document={document} schema={body.schema} />
    </Panel>
  );
}

const PLACES = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
] as const;

function examplesOf(document: Document, examples: Parameter['examples'] = {}): string | undefined {
  const values = Object.values(examples).map((one) => String(resolve<Example>(document, one).value));
  return values.length > 0 ? values.join('; ') : undefined;
}

export function ParametersPart({ document, parameters }: { document: Document; parameters: Parameter[] }): ReactNode {
  return PLACES.map(([place, title]) => {
    const matching = parameters.filter((one) => one.in === place);
    if (matching.length === 0) return null;
    return (
      <Part key={place} title={title}>
        <Panel p="sm">
          <ul className={classes.fields}>
            {matching.map(({ name, schema = {}, required = false, ...rest }) => (
              <Field
                key={name}
                document={document}
                name={name}
                schema={schema}
                isRequired={required}
                isDeprecated={rest.deprecated}
                description={rest.description}
                example={rest.example ?? examplesOf(document, rest.examples)}
              />
            ))}
          </ul>
        </Panel>
      </Part>
    );
  });
}
