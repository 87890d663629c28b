// The pages of an app, in the groups of its navigation.
import {
  IconBolt,
  IconBook2,
  IconDatabase,
  IconFlask,
  IconHome,
  IconKey,
  IconListSearch,
  IconPlug,
  IconRocket,
  IconSettings,
  IconTargetArrow,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react';
import { IS_PRODUCTION } from '../../kit/environments.ts';

export interface AppSection {
  /** The last segment of the address: `/in/$organisationId/apps/$appId/<path>`. */
  path:
    | 'overview'
    | 'keys'
    | 'installations'
    | 'data'
    | 'requests'
    | 'events'
    | 'webhooks'
    | 'simulation'
    | 'drills'
    | 'live-access'
    | 'reference'
    | 'settings';
  label: string;
  icon: TablerIcon;
  /** Production has no simulation, and an app there has live access already. */
  isSandboxOnly?: boolean;
}

export interface AppSectionGroup {
  /** Null for the pages without a named group. */
  title: string | null;
  sections: readonly AppSection[];
}

const ALL_GROUPS: readonly AppSectionGroup[] = [
  {
    title: 'Build',
    sections: [
      { path: 'overview', label: 'Overview', icon: IconHome },
      { path: 'keys', label: 'Keys', icon: IconKey },
      { path: 'installations', label: 'Installations', icon: IconPlug },
      { path: 'data', label: 'Data', icon: IconDatabase, isSandboxOnly: true },
    ],
  },
  {
    title: 'Observe',
    sections: [
      { path: 'requests', label: 'Requests', icon: IconListSearch },
      { path: 'events', label: 'Events', icon: IconBolt },
      { path: 'webhooks', label: 'Webhooks', icon: IconWebhook },
    ],
  },
  {
    title: 'Test',
    sections: [
      { path: 'simulation', label: 'Simulation', icon: IconFlask, isSandboxOnly: true },
      { path: 'drills', label: 'Drills', icon: IconTargetArrow },
    ],
  },
  {
    title: 'Go live',
    sections: [{ path: 'live-access', label: 'Live access', icon: IconRocket, isSandboxOnly: true }],
  },
  {
    title: null,
    sections: [
      { path: 'reference', label: 'Reference', icon: IconBook2 },
      { path: 'settings', label: 'Settings', icon: IconSettings },
    ],
  },
];

/** Groups of the environment that this program shows. */
export const APP_SECTION_GROUPS: readonly AppSectionGroup[] = ALL_GROUPS.map(({ title, sections }) => ({
  title,
  sections: sections.filter(({ isSandboxOnly }) => !IS_PRODUCTION || !isSandboxOnly),
})).filter(({ sections }) => sections.length > 0);

export const APP_SECTIONS: readonly AppSection[] = APP_SECTION_GROUPS.flatMap(({ sections }) => sections);
