// Navigation of the reference: a search over all entries, or the operations by tag and then the rest. Slash focuses the
// search; arrow keys move through the results.
import { Button, CloseButton, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useSingleKey, useSingleKeys } from '../../kit/single-keys.ts';
import { EntryLink } from './entry-link.tsx';
import classes from './reference.module.css';
import type { Reference } from './reference.ts';
import { type Entry, type EntryKind, entriesOf, find } from './search.ts';

const FOLDED: readonly [EntryKind, string][] = [
  ['events', 'Events'],
  ['problems', 'Problems'],
  ['schemas', 'Schemas'],
];

export function ReferenceNav({ reference }: { reference: Reference }): ReactNode {
  const [query, setQuery] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const nav = useRef<HTMLElement>(null);
  const entries = useMemo(() => entriesOf(reference), [reference]);
  const found = useMemo(() => find(entries, query), [entries, query]);
  const isSearching = query.trim() !== '';
  const [hasKeys] = useSingleKeys();
  useSingleKey('/', () => input.current?.focus());

  // A page that was opened by its address can be far down the list.
  useEffect(() => {
    nav.current?.querySelector('[data-entry][data-status="active"]')?.scrollIntoView({ block: 'nearest' });
  }, []);

  const clear = (): void => {
    setQuery('');
    input.current?.focus();
  };
  const step = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && isSearching) clear();
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const links = [...(nav.current?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])];
    // A collapsed link has no layout and cannot get the focus.
    const stops: (Element | null)[] = [input.current, ...links.filter((link) => link.offsetParent !== null)];
    const at = stops.indexOf(document.activeElement);
    const next = stops[at + (event.key === 'ArrowDown' ? 1 : -1)];
    if (at === -1 || !(next instanceof HTMLElement)) return;
    event.preventDefault();
    next.focus();
  };

  return (
    <nav aria-label="Reference" className={classes.nav} ref={nav} onKeyDown={step}>
      <Stack gap="sm">
        <TextInput
          ref={input}
          type="search"
          aria-label="Search the reference"
          placeholder={hasKeys ? 'Search, or press /' : 'Search'}
          leftSection={<IconSearch size={15} aria-hidden />}
          rightSection={isSearching && <CloseButton size="sm" aria-label="Clear the search" onClick={clear} />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        {isSearching ? <Results found={found} query={query} onClear={clear} /> : <Everything entries={entries} />}
      </Stack>
    </nav>
  );
}

function List({ entries, hasNotes }: { entries: Entry[]; hasNotes?: boolean }): ReactNode {
  return (
    <ul className={classes.group}>
      {entries.map((entry) => (
        <li key={`${entry.kind}/${entry.name}`}>
          <EntryLink entry={entry} hasNote={hasNotes === true} />
        </li>
      ))}
    </ul>
  );
}

function Results({ found, query, onClear }: { found: Entry[]; query: string; onClear: () => void }): ReactNode {
  if (found.length === 0) {
    return (
      <Stack gap="xs" p={8} align="flex-start" role="status">
        <Text style={{ overflowWrap: 'anywhere' }}>No entry matches “{query.trim()}”.</Text>
        <Text c="dimmed" fz="xs">
          Search for an operation, a path, a field, a scope or a problem code.
        </Text>
        <Button variant="default" size="xs" onClick={onClear}>
          Show all entries
        </Button>
      </Stack>
    );
  }
  return (
    <>
      <Text fz="xs" c="dimmed" px={8} role="status">
        {found.length === 1 ? '1 result' : `${found.length} results`}
      </Text>
      <List entries={found} hasNotes />
    </>
  );
}

function Everything({ entries }: { entries: Entry[] }): ReactNode {
  const operations = entries.filter((one) => one.kind === 'operations');
  const groups = [...new Set(operations.map((one) => one.group ?? ''))];
  return (
    <Stack gap="sm">
      {groups.map((group) => (
        <div key={group}>
          <Text fz="xs" fw={600} c="dimmed" px={8} pb={2}>
            {group}
          </Text>
          <List entries={operations.filter((one) => one.group === group)} />
        </div>
      ))}
      {FOLDED.map(([kind, label]) => (
        <Fold key={kind} kind={kind} label={label} entries={entries.filter((one) => one.kind === kind)} />
      ))}
    </Stack>
  );
}

function Fold({ kind, label, entries }: { kind: EntryKind; label: string; entries: Entry[] }): ReactNode {
  const { kind: shown } = useParams({ strict: false });
  if (entries.length === 0) return null;
  return (
    <details className={classes.fold} open={shown === kind}>
      <summary>
        {label} ({entries.length})
      </summary>
      <List entries={entries} />
    </details>
  );
}
