// Time filter: a span that ends now, or a range with fixed ends.
import { Button, Popover, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconClock } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { CONTENT_ID } from '../../kit/panel.tsx';
import { fromLocalInput, toLocalInput } from '../../kit/time.ts';
import { SPAN_LABELS } from './filter-labels.ts';
import { type FilterSearch, SPANS } from './search.ts';

type TimeRange = Pick<FilterSearch, 'last' | 'since' | 'until'>;
type TimeRangeInput = Record<keyof TimeRange, string | undefined>;

interface TimeFilterProps {
  search: TimeRange;
  onChange: (time: TimeRangeInput) => void;
  size?: 'xs' | 'sm';
}

const NONE: TimeRangeInput = { last: undefined, since: undefined, until: undefined };

export function TimeFilter({ search, onChange, size = 'sm' }: TimeFilterProps): ReactNode {
  const [isOpen, { close, toggle }] = useDisclosure(false);
  const choose = (time: Partial<TimeRangeInput>): void => {
    close();
    onChange({ ...NONE, ...time });
  };
  return (
    <Popover
      opened={isOpen}
      onChange={close}
      position="bottom-end"
      width={270}
      trapFocus
      returnFocus
      portalProps={{ target: `#${CONTENT_ID}` }}
    >
      <Popover.Target>
        <Button
          variant="default"
          size={size}
          fw={400}
          leftSection={<IconClock size={15} aria-hidden />}
          style={{ flexShrink: 0 }}
          onClick={toggle}
        >
          {describeTimeRangeShort(search)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Time">
        <Stack gap={6}>
          {[undefined, ...SPANS].map((last) => (
            <Button
              key={last ?? 'any'}
              variant={last === search.last && describeTimeRangeShort(search) !== 'Fixed time' ? 'light' : 'subtle'}
              size="xs"
              justify="flex-start"
              onClick={() => choose({ last })}
            >
              {last === undefined ? 'Any time' : SPAN_LABELS[last]}
            </Button>
          ))}
          <FixedTime key={`${search.since} ${search.until}`} search={search} onChoose={choose} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function describeTimeRangeShort({ last, since, until }: TimeRange): string {
  if (last !== undefined) return SPAN_LABELS[last];
  return since === undefined && until === undefined ? 'Any time' : 'Fixed time';
}

interface FixedTimeProps {
  search: TimeRange;
  onChoose: (time: Partial<TimeRangeInput>) => void;
}

function FixedTime({ search, onChoose }: FixedTimeProps): ReactNode {
  const [since, setSince] = useState(toLocalInput(search.since));
  const [until, setUntil] = useState(toLocalInput(search.until));
  const isBackwards = since !== '' && until !== '' && since >= until;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isBackwards) onChoose({ since: fromLocalInput(since), until: fromLocalInput(until) });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap={6}>
        <Text fz="xs" c="dimmed">
          Range in your time zone
        </Text>
        <TextInput
          label="From"
          size="xs"
          type="datetime-local"
          step={1}
          value={since}
          onChange={(event) => setSince(event.currentTarget.value)}
        />
        <TextInput
          label="Until"
          size="xs"
          type="datetime-local"
          step={1}
          value={until}
          error={isBackwards && 'The range ends before it begins.'}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" disabled={since === '' && until === ''}>
          Show this range
        </Button>
      </Stack>
    </form>
  );
}
