// The navigation of an app: a sidebar that can be collapsed to its icons, and the same links in the drawer of a phone.
import { useMediaQuery } from '@mantine/hooks';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import type { AppScope } from '../../kit/api.ts';
import { hint } from '../../kit/hints.tsx';
import { isSidebarCollapsed, setSidebarCollapsed } from '../../kit/sidebar-state.ts';
import classes from './app-navigation.module.css';
import { APP_SECTION_GROUPS, type AppSectionGroup } from './app-sections.ts';

export function AppSidebar({ scope }: { scope: AppScope }): ReactNode {
  const [isCollapsed, setCollapsed] = useState(isSidebarCollapsed);
  const isNarrow = useMediaQuery('(max-width: 62em)') ?? false;
  const setStored = (value: boolean): void => {
    setSidebarCollapsed(value);
    setCollapsed(value);
  };
  return (
    <div className={classes.sidebar}>
      <AppLinks scope={scope} hasHints={isCollapsed || isNarrow} />
      <CollapseButton isCollapsed={isCollapsed} onChange={setStored} />
    </div>
  );
}

interface AppLinksProps {
  scope: AppScope;
  /** Called when a link is followed. */
  onGo?: () => void;
  /** True if only the icons are visible. */
  hasHints?: boolean;
}

export function AppLinks({ scope, onGo, hasHints = false }: AppLinksProps): ReactNode {
  return (
    <nav aria-label="Sections of the app" className={classes.groups}>
      {APP_SECTION_GROUPS.map((group) => (
        <LinkGroup key={group.title} group={group} scope={scope} hasHints={hasHints} {...(onGo && { onGo })} />
      ))}
    </nav>
  );
}

function LinkGroup({ group, scope, onGo, hasHints }: AppLinksProps & { group: AppSectionGroup }): ReactNode {
  const id = useId();
  const { title, sections } = group;
  return (
    <div className={classes.group}>
      {title !== null && (
        <p id={id} className={classes.title}>
          {title}
        </p>
      )}
      <ul {...(title === null ? { 'aria-label': 'More' } : { 'aria-labelledby': id })}>
        {sections.map(({ path, label, icon: Icon }) => (
          <li key={path}>
            <Link
              to={`/in/$organisationId/apps/$appId/${path}`}
              params={scope}
              search={{}}
              className={classes.link}
              {...(onGo && { onClick: onGo })}
              {...hint(hasHints ? label : undefined)}
            >
              <Icon size={18} stroke={1.6} aria-hidden />
              <span className={classes.label}>{label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface CollapseButtonProps {
  isCollapsed: boolean;
  onChange: (isCollapsed: boolean) => void;
}

function CollapseButton({ isCollapsed, onChange }: CollapseButtonProps): ReactNode {
  const label = isCollapsed ? 'Expand the sidebar' : 'Collapse the sidebar';
  const Icon = isCollapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <button
      type="button"
      className={classes.collapse}
      aria-label={label}
      {...hint(label)}
      onClick={() => onChange(!isCollapsed)}
    >
      <Icon size={18} stroke={1.6} aria-hidden />
    </button>
  );
}
