// Shows the fields of a schema with type, bounds and description. Nested schemas open in place.
import { Group, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Fold } from '../../kit/fold.tsx';
import { Inline, InlineCode } from '../../kit/inline.tsx';
import { counted } from '../../kit/number.ts';
import { Tag } from '../../kit/state-badge.tsx';
import { type Document, resolveSchema, type Schema } from './document.ts';
import { ItemLink } from './entry-link.tsx';
import classes from './reference.module.css';
import { boundsOf, coreOf, typeOf } from './schema-labels.ts';

interface SchemaProps {
  document: Document;
  schema: Schema;
}

export function TypeText({ document, schema }: SchemaProps): ReactNode {
  const { before, name, after } = typeOf(document, schema);
  return (
    <Text component="span" c="dimmed" fz={13}>
      {before}
      {name && (
        <ItemLink kind="schemas" name={name}>
          {name}
        </ItemLink>
      )}
      {after}
    </Text>
  );
}

interface FieldProps extends SchemaProps {
  name: string;
  isRequired: boolean;
  isDeprecated?: boolean | undefined;
  description?: string | undefined;
  example?: unknown;
}

export function Field({
  document,
  schema,
  name,
  isRequired,
  isDeprecated,
  description,
  example,
}: FieldProps): ReactNode {
  const whole = resolveSchema(document, schema);
  const words = description ?? schema.description ?? whole.description ?? '';
  return (
    <li className={classes.field}>
      <Group gap="6px 10px" align="baseline">
        <Text component="span" ff="monospace" fz={13.5} fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <TypeText document={document} schema={schema} />
        {isRequired && <Tag>required</Tag>}
        {(isDeprecated ?? whole.deprecated) && <Tag>deprecated</Tag>}
      </Group>
      {words !== '' && (
        <Text mt={2}>
          <Inline>{words}</Inline>
        </Text>
      )}
      <Bounds document={document} schema={schema} />
      {example !== undefined && (
        <Text fz="xs" c="dimmed" mt={2} style={{ overflowWrap: 'anywhere' }}>
          For example {String(example)}
        </Text>
      )}
      <NestedFields document={document} schema={schema} name={name} />
    </li>
  );
}

// The pattern of every plain text, which excludes NUL. Shown with each field it would be noise.
const ANY_TEXT = '^[^\\u0000]*$';

function Bounds({ document, schema }: SchemaProps): ReactNode {
  const bounds = boundsOf(document, schema);
  const { enum: values, pattern } = coreOf(document, schema);
  return (
    <>
      {values && (
        <Group gap={4} mt={4}>
          {values.map((value) => (
            <InlineCode key={String(value)}>{String(value)}</InlineCode>
          ))}
        </Group>
      )}
      {bounds.length > 0 && (
        <Text fz="xs" c="dimmed" mt={2}>
          {bounds.join(' · ')}
        </Text>
      )}
      {pattern && pattern !== ANY_TEXT && !values && <Pattern>{pattern}</Pattern>}
    </>
  );
}

const LONG_PATTERN = 80;

function Pattern({ children }: { children: string }): ReactNode {
  const shown = <span style={{ fontFamily: 'var(--mantine-font-family-monospace)' }}>{children}</span>;
  return (
    <Text component="div" fz="xs" c="dimmed" mt={2} style={{ overflowWrap: 'anywhere' }}>
      {children.length > LONG_PATTERN ? (
        <Fold summary={`pattern of ${counted(children.length, 'character')}`}>{shown}</Fold>
      ) : (
        <>pattern {shown}</>
      )}
    </Text>
  );
}

// Rendered only while it is open: a schema can contain itself.
function NestedFields({ document, schema, name }: SchemaProps & { name: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const core = coreOf(document, schema);
  const count = Object.keys(core.properties ?? {}).length;
  const choices = (core.oneOf ?? core.anyOf)?.filter((one) => one.type !== 'null') ?? [];
  if (count === 0 && choices.length === 0) return null;
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      <UnstyledButton fz="xs" mt={6} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Group gap={4} component="span" wrap="nowrap">
          <Icon size={14} aria-hidden /> {isOpen ? 'Hide' : 'Show'} the fields of {name}
        </Group>
      </UnstyledButton>
      {isOpen && (
        <div className={classes.deeper}>
          <Fields document={document} schema={core} />
        </div>
      )}
    </>
  );
}

/** Shows the fields of an object, or of each alternative of a union. */
export function Fields({ document, schema }: SchemaProps): ReactNode {
  const core = coreOf(document, schema);
  const choices = (core.oneOf ?? core.anyOf)?.filter((one) => one.type !== 'null') ?? [];
  const properties = Object.entries(core.properties ?? {});
  if (properties.length === 0 && choices.length === 0) return <SingleSchema document={document} schema={schema} />;
  return (
    <ul className={classes.fields}>
      {choices.map((choice, index) => (
        <Field
          key={choice.$ref ?? JSON.stringify(choice)}
          document={document}
          schema={choice}
          name={`Choice ${index + 1} of ${choices.length}`}
          isRequired={false}
        />
      ))}
      {properties.map(([name, property]) => (
        <Field
          key={name}
          document={document}
          schema={property}
          name={name}
          isRequired={core.required?.includes(name) ?? false}
        />
      ))}
    </ul>
  );
}

function SingleSchema({ document, schema }: SchemaProps): ReactNode {
  return (
    <div>
      <TypeText document={document} schema={schema} />
      <Bounds document={document} schema={schema} />
    </div>
  );
}
