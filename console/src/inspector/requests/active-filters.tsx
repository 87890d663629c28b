// Lists the active filters with a button to remove each, and one to remove all.
import { Button, Group, Pill } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ActiveFilter } from './filter-labels.ts';
import classes from './filters.module.css';
import type { Filter } from './search.ts';

interface ActiveFiltersProps {
  filters: readonly ActiveFilter[];
  onRemove: (names: readonly Filter[]) => void;
  onClear: () => void;
}

export function ActiveFilters({ filters, onRemove, onClear }: ActiveFiltersProps): ReactNode {
  if (filters.length === 0) return null;
  return (
    <Group gap={6} role="group" aria-label="Active filters">
      {filters.map(({ names, words }) => (
        <Pill
          key={words}
          className={classes.pill ?? ''}
          withRemoveButton
          onRemove={() => onRemove(names)}
          // Mantine hides this button, because Backspace removes a pill in an input. Here the button is the only way.
          removeButtonProps={{ 'aria-label': `Remove the filter: ${words}`, 'aria-hidden': false, tabIndex: 0 }}
        >
          {words}
        </Pill>
      ))}
      <Button variant="subtle" size="compact-xs" onClick={onClear}>
        Clear all
      </Button>
    </Group>
  );
}
