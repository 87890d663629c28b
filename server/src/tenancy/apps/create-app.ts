import {
  allowOrganisationManagement,
  lockOrganisation,
  organisationParams,
  quotasOf,
  requireQuota,
  type TenantTransaction,
  withTenant,
} from '../../access/authority/index.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import { created, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { App, AppInput, exampleApp, toApp } from './app.ts';
import { countApps, insertApp } from './store.ts';

/** Creates the operation. `fill` writes the initial data of a new app. */
export const createApp = (fill: (tenant: TenantTransaction) => Promise<void>) =>
  operation({
    id: 'createApp',
    route: 'POST /organisations/{organisationId}/apps',
    tag: 'Apps',
    summary: 'Register an app',
    description:
      'Registers an app in the sandbox. The app immediately gets a small synthetic world: servers that have authorised it with all scopes of the contract.',
    access: allowOrganisationManagement('apps.create'),
    params: organisationParams,
    body: AppInput,
    examples: { anApp: { name: 'Ticket bridge' } },
    replies: created('The app.', App, { anApp: exampleApp }),
    problems: ['quota_exceeded', 'conflict'],
    async run(context, { body }) {
      const { plane, actor, tx } = context;
      const organisation = await lockOrganisation(tx, actor.organisationId);
      if (organisation.status === 'deleting' || organisation.status === 'erasing') {
        throw problem('conflict', { detail: 'The organisation is being deleted.' });
      }
      requireQuota(quotasOf(organisation), 'apps', await countApps(tx, actor.organisationId));
      const appId = newUuid();
      const row = await insertApp(tx, {
        appId,
        organisationId: actor.organisationId,
        name: body.name.trim(),
        createdBy: actor.name,
      });
      const { tenant, audit } = withTenant(context, appId);
      await fill(tenant);
      audit('app.create', toId('app', appId), { name: row.name });
      return { status: 201, body: toApp(row, plane) };
    },
  });
