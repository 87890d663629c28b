// Renders texts of the API, which mark code with backticks. Other markup is never interpreted.
import type { ReactNode } from 'react';
import classes from './inline.module.css';

const CODE = /`([^`]+)`/;

/** Renders a text with its parts in backticks as code. */
export function Inline({ children }: { children: string }): ReactNode {
  // Every second part was between backticks.
  return children.split(CODE).map((part, index) => {
    const key = `${index}${part}`;
    return index % 2 === 0 ? <span key={key}>{part}</span> : <InlineCode key={key}>{part}</InlineCode>;
  });
}

export function InlineCode({ children }: { children: string }): ReactNode {
  return <code className={classes.code}>{children}</code>;
}

/** Returns the text for a place that cannot render code, such as a tooltip or the error of a field. */
export const withoutCodeMarks = (text: string): string => text.replaceAll(new RegExp(CODE, 'g'), '$1');
