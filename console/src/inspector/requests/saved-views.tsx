// Menu of the saved views: opens one, saves the current filters under a name, and removes one.
import { Button, Group, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AppScope } from '../../kit/api.ts';
import { NameDialog } from '../../kit/name-dialog.tsx';
import { CONTENT_ID } from '../../kit/panel.tsx';
import { hasFilters, type RequestsSearch } from './search.ts';
import { MAX_SAVED_VIEWS, useSavedViews } from './use-saved-views.ts';

export function SavedViews({ scope, search }: { scope: AppScope; search: RequestsSearch }): ReactNode {
  const { views, save, remove } = useSavedViews(scope);
  const [isNaming, dialog] = useDisclosure(false);
  const navigate = useNavigate();
  const open = (saved: RequestsSearch): void =>
    void navigate({
      to: '/in/$organisationId/apps/$appId/requests',
      params: scope,
      search: saved,
      resetScroll: false,
    });
  return (
    <>
      <Menu position="bottom-end" width={280} portalProps={{ target: `#${CONTENT_ID}` }}>
        <Menu.Target>
          <Button
            variant="default"
            fw={400}
            leftSection={<IconBookmark size={15} aria-hidden />}
            style={{ flexShrink: 0 }}
          >
            Views
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.length === 0 && <Menu.Label>No saved views yet</Menu.Label>}
          {views.map(({ name, search: saved }) => (
            <Group key={name} gap={2} wrap="nowrap" role="none">
              <Menu.Item flex={1} onClick={() => open(saved)} style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Menu.Item>
              <Menu.Item
                w="auto"
                closeMenuOnClick={false}
                aria-label={`Remove the view ${name}`}
                onClick={() => remove(name)}
              >
                <IconTrash size={15} aria-hidden style={{ display: 'block' }} />
              </Menu.Item>
            </Group>
          ))}
          <Menu.Divider />
          <Menu.Item disabled={!hasFilters(search) && search.view === undefined} onClick={dialog.open}>
            Save the current filters
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isNaming && (
        <NameDialog
          title="Save this view"
          description={`The filters are stored in this browser until you sign out, at most ${MAX_SAVED_VIEWS} views per app. To share a view, open it and copy the address of the page.`}
          placeholder="Failed tickets"
          action="Save"
          create={async (name) => save(name, search)}
          onCreated={dialog.close}
          onClose={dialog.close}
        />
      )}
    </>
  );
}
