// The command palette: the user types a name or pastes an identifier, and Enter goes there.
import { Combobox, Group, Modal, Stack, Text, TextInput, useCombobox, VisuallyHidden } from '@mantine/core';
import { getHotkeyHandler } from '@mantine/hooks';
import {
  IconAdjustments,
  IconApps,
  IconBolt,
  IconBuilding,
  IconClipboard,
  IconFile,
  IconKey,
  IconSearch,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { type Command, type CommandGroup, findCommands, groupCommands, type PaletteDialog } from './command.ts';
import classes from './palette.module.css';
import { useCommands } from './use-commands.ts';

const ICONS: Record<CommandGroup, TablerIcon> = {
  Pasted: IconClipboard,
  'This app': IconFile,
  Key: IconKey,
  Endpoint: IconWebhook,
  App: IconApps,
  Organisation: IconBuilding,
  Operator: IconAdjustments,
  Page: IconFile,
  Action: IconBolt,
};

const GROUP_LABELS: Record<CommandGroup, string> = {
  Pasted: 'Pasted id',
  'This app': 'This app',
  Key: 'Keys',
  Endpoint: 'Endpoints',
  App: 'Apps',
  Organisation: 'Organisations',
  Operator: 'Operator',
  Page: 'Pages',
  Action: 'Actions',
};

interface PaletteProps {
  onClose: () => void;
  onShow: (dialog: PaletteDialog) => void;
}

export function Palette({ onClose, onShow }: PaletteProps): ReactNode {
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const groups = groupCommands(findCommands(useCommands(query, onShow), query));
  const found = [...groups.values()].flat();
  const at = Math.min(chosen, found.length - 1); // the list can have become shorter
  const listId = useId();
  const optionId = (index: number): string => `${listId}-${index}`;
  useEffect(() => document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: 'nearest' }), [listId, at]);

  const step = (by: number) => (): void => setChosen((at + by + found.length) % Math.max(1, found.length));
  const run = (command: Command | undefined): void => {
    if (!command) return;
    onClose();
    command.run();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title="Command palette"
      size={620}
      centered={false}
      yOffset="10vh"
      returnFocus={false}
    >
      <Stack gap="xs" pt={4}>
        <TextInput
          role="combobox"
          aria-label="Page, app, key, endpoint, identifier or action"
          aria-expanded
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={found.length > 0 ? optionId(at) : undefined}
          placeholder="Type a name, or paste an id: req_, evt_, dlv_, whe_, key_, srv_"
          leftSection={<IconSearch size={16} aria-hidden />}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={getHotkeyHandler([
            ['ArrowDown', step(1)],
            ['ArrowUp', step(-1)],
            ['Enter', () => run(found[at])],
          ])}
        />
        <VisuallyHidden role="status">
          {found.length === 1 ? '1 command matches' : `${found.length} commands match`}
        </VisuallyHidden>
        <Options
          id={listId}
          optionId={optionId}
          groups={groups}
          commands={found}
          chosen={at}
          onRun={(id) => run(found.find((one) => one.id === id))}
        />
      </Stack>
    </Modal>
  );
}

interface OptionsProps {
  id: string;
  optionId: (index: number) => string;
  groups: ReadonlyMap<CommandGroup, Command[]>;
  /** The commands of the groups in their order. */
  commands: Command[];
  chosen: number;
  onRun: (commandId: string) => void;
}

function Options({ id, optionId, groups, commands, chosen, onRun }: OptionsProps): ReactNode {
  const store = useCombobox();
  return (
    <Combobox store={store} onOptionSubmit={onRun}>
      <Combobox.Options id={id} aria-label="Commands" className={classes.options}>
        {[...groups].map(([group, ofGroup]) => (
          <Combobox.Group key={group} label={GROUP_LABELS[group]} role="group" aria-label={GROUP_LABELS[group]}>
            {ofGroup.map((command) => {
              const index = commands.indexOf(command);
              return <Option key={command.id} id={optionId(index)} command={command} isChosen={index === chosen} />;
            })}
          </Combobox.Group>
        ))}
        {commands.length === 0 && <Combobox.Empty>No command matches. Paste complete ids.</Combobox.Empty>}
      </Combobox.Options>
    </Combobox>
  );
}

interface OptionProps {
  id: string;
  command: Command;
  isChosen: boolean;
}

function Option({ id, command, isChosen }: OptionProps): ReactNode {
  const { id: commandId, group, label, note, icon: Icon = ICONS[group] } = command;
  return (
    <Combobox.Option id={id} value={commandId} className={classes.option} selected={isChosen} aria-selected={isChosen}>
      <Group gap="sm" wrap="nowrap">
        <Icon size={16} aria-hidden className={classes.icon} />
        <Text truncate className={classes.label}>
          {label}{' '}
          <Text component="span" c="dimmed" fz="xs">
            {note}
          </Text>
        </Text>
      </Group>
    </Combobox.Option>
  );
}
