// A part that is hidden below its summary until the reader opens it.
import type { ReactNode } from 'react';
import classes from './fold.module.css';

interface FoldProps {
  summary: ReactNode;
  /** True if the part is open at first, and again after this changes to true. */
  isOpen?: boolean;
  children: ReactNode;
}

export function Fold({ summary, isOpen = false, children }: FoldProps): ReactNode {
  return (
    <details className={classes.fold} open={isOpen}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
