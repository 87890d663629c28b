// A server: a community on a chat platform. Its installation, which the platform adds, grants scopes to an app.
import { count, dateTime, text } from '../../../kit/http/schema.ts';
import { resource } from '../contract.ts';
import { SERVER_WORDS } from './words/servers.ts';

// A name without characters that are valid in an address has no words here.
function slugOf(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.length > 0 ? words.join('-') : 'server';
}

export const servers = resource({
  file: import.meta.url,
  name: 'Server',
  kind: 'server',
  plural: 'servers',
  noun: 'server',
  description: 'A community on a chat platform.',
  path: 'servers',
  tag: 'Servers',
  idPrefix: 'srv',
  grants: true,
  scope: 'servers:read',
  origin: 'seeded',
  fields: {
    name: text('The display name.', { maxLength: 100 }),
    slug: text('The name in addresses.', { maxLength: 100 }),
    description: text('The description of the community.', { maxLength: 500 }),
    iconUrl: text('The address of the icon.', { maxLength: 2048 }),
    locale: text('The language (BCP 47).', { maxLength: 35 }),
    timezone: text('The time zone (IANA).', { maxLength: 64 }),
    memberCount: count('The number of members.'),
    createdAt: dateTime('The creation time of the community.'),
  },
  example: {
    id: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2',
    name: 'Harbour Lights',
    slug: 'harbour-lights',
    description: 'Night photographers of the northern ports.',
    iconUrl: 'https://icons.sandbox.invalid/harbour-lights.png',
    locale: 'en-GB',
    timezone: 'Europe/London',
    memberCount: 1842,
    createdAt: '2023-04-11T09:30:00.000Z',
  },
  events: {
    'server.updated': {
      meaning: 'The description of a server or its number of members changed.',
      refusal: {
        named: 'The app was never authorised on the server.',
        any: 'The app was never authorised on the newest server. Name another server.',
      },
    },
  },
  sandbox: {
    segment: 'server',
    halfTimeCount: 20,
    synthesise({ draw, index, script }) {
      const words = SERVER_WORDS[script];
      const called = `${draw.pick(words.first)} ${draw.pick(words.second)}`;
      const slug = `${slugOf(called)}-${index + 1}`;
      const [locale, timezone] = draw.pick(words.places);
      return {
        name: index < words.first.length ? called : `${called} ${index + 1}`,
        slug,
        description: draw.pick(words.topics),
        iconUrl: `https://icons.sandbox.invalid/${slug}.png`,
        locale,
        timezone,
        memberCount: 12 + draw.number(25_000),
      };
    },
  },
});
