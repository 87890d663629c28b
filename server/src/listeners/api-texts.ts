// The title, the description and the tags of the document of /v1: written for the default contract, and derived for a
// contract of an operator.
import type { Environment } from '../access/authority/index.ts';
import { contract, isOperatorContract, resources } from '../access/contracts/index.ts';
import type { DocumentOptions } from '../kit/openapi/openapi.ts';

const ENVIRONMENTS: Record<Environment, { objects: string; servers: string; server: string }> = {
  sandbox: {
    objects: 'The sandbox serves synthetic objects under the same contract.',
    servers: 'Calls have no effect on real servers or people.',
    server: 'The sandbox.',
  },
  production: {
    objects: 'This is production: its servers are real.',
    servers: 'The sandbox serves synthetic servers under the same contract.',
    server: 'Production.',
  },
};

const RULES =
  'Keys are refused from browsers: a request with `Origin` or `Sec-Fetch-Site` gets 403 `browser_use`, and no response allows another origin (CORS). Later releases may add fields to responses and events, and values to a field with `x-extensible-enum`: ignore a field that you do not know, and handle an unknown value by a default.';

const ABOUT = isOperatorContract
  ? `The API of the contract \`${contract.name}\`, and the events about its objects.`
  : 'Servers with their publications, roadmaps, tickets and workflows, and the events about them.';

type Tag = DocumentOptions<unknown>['tags'][number];

const ownTags = (): Tag[] =>
  [...new Set(resources.map(({ tag }) => tag))].map((name) => ({
    name,
    description: resources.find(({ tag }) => tag === name)?.description ?? name,
  }));

const RESOURCE_TAGS: readonly Tag[] = isOperatorContract
  ? ownTags()
  : [
      { name: 'Servers', description: 'Communities on a chat platform that have authorised the app.' },
      { name: 'Publications', description: 'Posts of communities.' },
      { name: 'Roadmap', description: 'Plans of communities.' },
      { name: 'Tickets', description: 'Requests of members to a community’s team.' },
      { name: 'Workflows', description: 'Actions that communities let apps run.' },
    ];

const PLATFORM_TAGS: readonly Tag[] = [
  { name: 'Events', description: 'Events, in the form in which webhooks deliver them.' },
  { name: 'Webhooks', description: 'Requests that Slipway sends to your endpoints, one for each event type.' },
  { name: 'Leaked keys', description: 'Revocation of leaked keys.' },
  { name: 'Contract', description: 'This document and the pages that explain its problems.' },
];
const ME: Tag = { name: 'Me', description: 'The calling key and its app.' };

/** The contact that the documentation leads to, in the documents of all APIs. */
export const CONTACT = 'The operator of this installation';

/** Returns the texts of the document for an environment. */
export function textsOf(environment: Environment) {
  const { objects, servers, server } = ENVIRONMENTS[environment];
  return {
    title: isOperatorContract ? `${contract.name} API` : 'Slipway API',
    version: contract.version ?? '1.0.0',
    description: `${ABOUT} ${objects} ${servers} ${RULES}`,
    serverDescription: server,
    tags: [
      ME,
      ...RESOURCE_TAGS.filter(({ name }) => !PLATFORM_TAGS.some((one) => one.name === name)),
      ...PLATFORM_TAGS,
    ],
  };
}
