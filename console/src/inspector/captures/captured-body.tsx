// Shows a captured body. Errors of a refused request stand next to their values.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock, spell } from '../../kit/code-block.tsx';
import classes from './captured-body.module.css';
import { findErrorLine, toJsonLines } from './json-lines.ts';

interface BodyError {
  pointer: string;
  detail: string;
}

interface CapturedBodyProps {
  label: string;
  body: string;
  errors?: readonly BodyError[];
}

export function CapturedBody({ label, body, errors = [] }: CapturedBodyProps): ReactNode {
  // A long number would be shown as another one.
  const lines = /\d{16}/.test(body) ? undefined : toJsonLines(body);
  if (!lines) {
    return (
      <CodeBlock label={label} wraps>
        {body}
      </CodeBlock>
    );
  }
  const details = new Map<number, string[]>();
  for (const { pointer, detail } of errors) {
    // A pointer to a parameter or header finds no value, and is shown with the problem.
    if (/^\/(query|header)\//.test(pointer)) continue;
    const at = findErrorLine(lines, pointer);
    const parent = lines[at]?.pointer === pointer ? '' : `${pointer.slice(pointer.lastIndexOf('/') + 1)} `;
    details.set(at, [...(details.get(at) ?? []), `${parent}${detail}`]);
  }
  const text = lines.map((line) => line.text).join('\n');
  return (
    <CodeBlock label={label} wraps copied={text}>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a captured body never changes
        <span key={at} className={details.has(at) ? classes.wrong : undefined}>
          {spell(line.text)}
          {details.get(at)?.map((detail) => (
            <Text key={detail} component="span" className={classes.detail} inherit>
              {' '}
              ← {detail}
            </Text>
          ))}
          {'\n'}
        </span>
      ))}
    </CodeBlock>
  );
}
