// Link to one entry of the reference by its permanent address.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AnchorLink } from '../../kit/links.tsx';
import { useAppScope } from '../../kit/use-app-scope.ts';
import classes from './reference.module.css';
import type { Entry, EntryKind } from './search.ts';

const ITEM = '/in/$organisationId/apps/$appId/reference/$kind/$name';

export function Method({ children }: { children: string }): ReactNode {
  return (
    <span className={classes.method} data-method={children}>
      {children}
    </span>
  );
}

export function EntryLink({ entry, hasNote = false }: { entry: Entry; hasNote?: boolean }): ReactNode {
  const scope = useAppScope();
  const { kind, name, label, method, note } = entry;
  return (
    <Link to={ITEM} params={{ ...scope, kind, name }} className={classes.entry} data-entry>
      {method && <Method>{method}</Method>}
      <span>
        {label}
        {hasNote && <span className={classes.note}>{note.length > 90 ? `${note.slice(0, 90)}…` : note}</span>}
      </span>
    </Link>
  );
}

export function ItemLink({ kind, name, children }: { kind: EntryKind; name: string; children: string }): ReactNode {
  const scope = useAppScope();
  return (
    <AnchorLink to={ITEM} params={{ ...scope, kind, name }} inherit underline="always">
      {children}
    </AnchorLink>
  );
}
