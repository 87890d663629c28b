// Shows one operation: description, inputs and responses, and a request to send.
import { Button, Group, Stack, Title } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CopyIcon } from '../../kit/copy.tsx';
import { Tag } from '../../kit/state-badge.tsx';
import { Method } from './entry-link.tsx';
import { BodyPart, ExampleBlock, ParametersPart, Part } from './parts.tsx';
import { Prose } from './prose.tsx';
import classes from './reference.module.css';
import type { Operation, Reference } from './reference.ts';
import { Problems, Replies } from './replies.tsx';
import { TryIt } from './try-it.tsx';

const TRY_ID = 'try-it';

export function OperationView({ operation, reference }: { operation: Operation; reference: Reference }): ReactNode {
  const { document } = reference;
  const { parameters, body, replies, problems } = operation;
  return (
    <div className={classes.operation}>
      <Stack gap="lg" miw={0}>
        <Head operation={operation} />
        <Prose>{operation.description}</Prose>
        <ParametersPart document={document} parameters={parameters} />
        {body && (
          <Part title="Body">
            <BodyPart document={document} body={body} />
            {body.examples.map((example) => (
              <ExampleBlock key={example.name} example={example} label="Body" />
            ))}
          </Part>
        )}
        <Part title="Responses">
          <Replies document={document} replies={replies} />
        </Part>
        {problems.length > 0 && (
          <Part title="Problems">
            <Problems problems={problems} />
          </Part>
        )}
      </Stack>
      <div id={TRY_ID} className={classes.aside}>
        <TryIt operation={operation} />
      </div>
    </div>
  );
}

function Head({ operation }: { operation: Operation }): ReactNode {
  const { id, method, path, summary, scope, isDeprecated } = operation;
  return (
    <Stack gap={6}>
      <Title order={2} fz={20}>
        {summary}
      </Title>
      <Group gap={8} wrap="nowrap" align="baseline">
        <Method>{method}</Method>
        <span className={classes.address}>{path}</span>
        <CopyIcon value={path} label="path" />
      </Group>
      <Group gap={6}>
        {scope === undefined ? <Tag>no key needed</Tag> : <Tag isCode>{scope ?? 'any key'}</Tag>}
        <Tag isCode>{id}</Tag>
        {isDeprecated && <Tag>deprecated</Tag>}
        <Button
          component="a"
          href={`#${TRY_ID}`}
          className={classes.toTry ?? ''}
          size="compact-xs"
          variant="default"
          leftSection={<IconPlayerPlay size={12} aria-hidden />}
        >
          Try it
        </Button>
      </Group>
    </Stack>
  );
}
