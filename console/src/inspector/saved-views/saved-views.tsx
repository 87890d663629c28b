// Menu of the saved views of a list: opens one, saves the current filters under a name, and deletes one.
import { Button, type ButtonProps, Group, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { AppScope } from '../../kit/api.ts';
import { Inline } from '../../kit/inline.tsx';
import { NameDialog } from '../../kit/name-dialog.tsx';
import { CONTENT_ID } from '../../kit/panel.tsx';
import { describeProblem } from '../../kit/problem-text.ts';
import {
  type SavedFilters,
  type SavedPage,
  savableFilters,
  toFilters,
  useDeleteView,
  useSavedViews,
  useSaveView,
} from './use-saved-views.ts';

interface SavedViewsProps {
  scope: AppScope;
  page: SavedPage;
  /** The current filters, without the open object. */
  filters: SavedFilters;
  onOpen: (filters: SavedFilters) => void;
  size?: ButtonProps['size'];
}

export function SavedViews({ scope, page, filters, onOpen, size = 'sm' }: SavedViewsProps): ReactNode {
  const [isOpen, menu] = useDisclosure(false);
  const [isNaming, dialog] = useDisclosure(false);
  const views = useSavedViews(scope, page, isOpen);
  const save = useSaveView(scope, page);
  const remove = useDeleteView(scope);
  const savable = savableFilters(filters);
  const error = remove.error ?? views.error;
  return (
    <>
      <Menu
        position="bottom-end"
        width={280}
        portalProps={{ target: `#${CONTENT_ID}` }}
        opened={isOpen}
        onOpen={menu.open}
        onClose={menu.close}
      >
        <Menu.Target>
          <Button
            variant="default"
            fw={400}
            size={size}
            leftSection={<IconBookmark size={15} aria-hidden />}
            style={{ flexShrink: 0 }}
          >
            Views
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {error && (
            <Menu.Label role="alert">
              <Inline>{describeProblem(error).fix}</Inline>
            </Menu.Label>
          )}
          {views.isPending && !error && <Menu.Label>Loading the saved views</Menu.Label>}
          {views.data?.length === 0 && <Menu.Label>No saved views yet</Menu.Label>}
          {views.data?.map((view) => (
            <Group key={view.id} gap={2} wrap="nowrap" role="none">
              <Menu.Item flex={1} onClick={() => onOpen(toFilters(view))} style={{ overflowWrap: 'anywhere' }}>
                {view.name}
              </Menu.Item>
              <Menu.Item
                w="auto"
                closeMenuOnClick={false}
                aria-label={`Delete the view ${view.name}`}
                onClick={() => remove.mutate(view.id)}
              >
                <IconTrash size={15} aria-hidden style={{ display: 'block' }} />
              </Menu.Item>
            </Group>
          ))}
          <Menu.Divider />
          <Menu.Item disabled={Object.keys(savable).length === 0} onClick={dialog.open}>
            Save the current filters
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isNaming && (
        <NameDialog
          title="Save this view"
          description="The view is stored in your account, and only you see its name. To share its filters, open the view and copy the address of the page."
          placeholder="Failed tickets"
          action="Save"
          create={(name) => save(name, savable)}
          onCreated={dialog.close}
          onClose={dialog.close}
        />
      )}
    </>
  );
}
