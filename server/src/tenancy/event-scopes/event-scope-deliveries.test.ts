// A delivery of an event that contains a resource needs two grants of its server: events:read and the resource's own
// scope. Both are checked when the delivery is queued, by each claim, in flight, and when it is redelivered.
import { describe, expect, test } from 'vitest';
import { until } from '../../../test/harness.ts';
import { uuidOf } from '../../../test/redelivery.fixture.ts';
import { runDueRedeliveries } from '../../webhooks/redeliveries/run-redeliveries.job.ts';
import {
  app,
  deliveries,
  holdResponses,
  manage,
  outcomes,
  publish,
  query,
  received,
  type ScopedDelivery,
  sandbox,
  server,
  setScope,
  settled,
  ticket,
  unansweredRequests,
  useEventScopes,
  whileDispatching,
} from './event-scopes.fixture.ts';

useEventScopes();

describe('a delivery of an event with a resource', () => {
  test('is skipped with a reason if the scope of its resource is revoked, and other deliveries are created', async () => {
    await setScope('publications:read', 'revoked');
    await publish();
    await ticket();
    expect(await outcomes()).toEqual(['publication.updated skipped resource_scope_revoked', 'ticket.created pending']);
    await whileDispatching(async () => {
      await settled(['publication.updated skipped resource_scope_revoked', 'ticket.created succeeded']);
    });
    expect(received()).toEqual(['ticket.created']);
  });

  test('is held while the scope of its resource is paused, and continues when the scope is resumed', async () => {
    await setScope('publications:read', 'paused');
    await publish();
    await ticket();
    await whileDispatching(async () => {
      await settled(['publication.updated held resource_scope_paused', 'ticket.created succeeded']);
      await setScope('publications:read', 'authorised');
      await settled(['publication.updated succeeded', 'ticket.created succeeded']);
    });
  });

  test('that is pending is cancelled when its resource’s scope is revoked, and stays cancelled when the scope is granted again', async () => {
    await publish();
    await ticket();
    await setScope('publications:read', 'revoked');
    await setScope('publications:read', 'authorised');
    await whileDispatching(async () => {
      await settled(['publication.updated cancelled resource_scope_revoked', 'ticket.created succeeded']);
    });
    expect(received()).toEqual(['ticket.created']);
  });

  test('that the revocation missed is cancelled by its claim, because it was queued under an earlier grant', async () => {
    await publish();
    await query('begin');
    await query('select from queue where app_id = $1 for update', uuidOf(app.id));
    await setScope('publications:read', 'revoked');
    await setScope('publications:read', 'authorised');
    await query('rollback');
    expect(await outcomes()).toEqual(['publication.updated pending']);
    await whileDispatching(async () => {
      await settled(['publication.updated cancelled resource_scope_revoked']);
    });
    expect(received()).toEqual([]);
  });

  test.each([
    ['events:read', 'installation_revoked'],
    ['publications:read', 'resource_scope_revoked'],
  ] as const)('in flight is aborted before the revocation of %s returns', async (scope, reason) => {
    holdResponses();
    await publish();
    await whileDispatching(async () => {
      await until(() => received().length === 1);
      await setScope(scope, 'revoked');
      await until(() => unansweredRequests[0]?.closed);
      await settled([`publication.updated cancelled ${reason}`]);
      const [only] = await deliveries();
      const { attempts } = await manage<{ attempts: { outcome: string }[] }>('GET', `/deliveries/${only?.id}`);
      expect(attempts.map(({ outcome }) => outcome)).toEqual(['aborted_by_revoke']);
    });
    expect(received()).toHaveLength(1);
  });

  test('checks a delivery of an earlier release, without a scope in its row, by the type of its event', async () => {
    await publish();
    await ticket();
    await query('update queue set resource_scope = null where app_id = $1', uuidOf(app.id));
    await setScope('publications:read', 'paused');
    await whileDispatching(async () => {
      await settled(['publication.updated held resource_scope_paused', 'ticket.created succeeded']);
    });
    // The change of a grant does not look at such a row. The claim holds the delivery and the worker releases it.
    await query(`update queue set state = 'waiting', resource_scope = null where app_id = $1`, uuidOf(app.id));
    await whileDispatching(async () => {
      await until(
        async () =>
          (await query(`select from queue where state = 'held' and resource_scope = 'publications:read'`)).length,
      );
      await query(
        `update installation_scopes set state = 'authorised' where state = 'paused' and app_id = $1`,
        uuidOf(app.id),
      );
      await settled(['publication.updated succeeded', 'ticket.created succeeded']);
    });
  });

  test('shows its body to the organisation only while both scopes are granted, or after it was sent', async () => {
    await setScope('publications:read', 'paused');
    await publish();
    const [held] = await deliveries();
    const body = async () => (await manage<ScopedDelivery>('GET', `/deliveries/${held?.id}`)).body;
    expect(await body()).toBeNull();
    await setScope('publications:read', 'authorised');
    expect(await body()).toContain('publication.updated');
  });
});

describe('a redelivery of an event with a resource', () => {
  const redeliver = async (id: string | undefined) =>
    sandbox.manage<{ status: string; detail: string }>('POST', `/apps/${app.id}/deliveries/${id}/redeliver`);

  test('by a member is rejected without the scope of the resource, and held while the scope is paused', async () => {
    await publish();
    await whileDispatching(async () => {
      await settled(['publication.updated succeeded']);
    });
    const [sent] = await deliveries();
    await setScope('publications:read', 'paused');
    const held = await redeliver(sent?.id);
    expect([held.status, held.body.status]).toEqual([201, 'held']);
    await setScope('publications:read', 'revoked');
    const refused = await redeliver(sent?.id);
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('resource_scope_revoked')]);
  });

  test('by a job records deliveries without the scope of the resource as skipped', async () => {
    await publish();
    await ticket();
    await query(`update deliveries set status = 'failed', finished_at = now() where app_id = $1`, uuidOf(app.id));
    await query('delete from queue where app_id = $1', uuidOf(app.id));
    await setScope('publications:read', 'revoked');
    await manage('POST', '/redeliveries', { since: '2000-01-01T00:00:00Z' });
    await until(async () => {
      await runDueRedeliveries(sandbox.worker, sandbox.plane, (error) => expect(error).toBeUndefined());
      return (await deliveries()).length === 4;
    });
    expect((await outcomes()).slice(2).sort()).toEqual([
      'publication.updated skipped resource_scope_revoked',
      'ticket.created pending',
    ]);
  });
});

test('settles each delivery once when many scopes change, and counts them in a dry run', async () => {
  await publish();
  await ticket();
  const input = { state: 'paused', scopes: ['events:read', 'publications:read'], serverIds: [server] };
  const change = (isDryRun: boolean) =>
    manage<{ deliveries: number }>('POST', '/installation-changes', { ...input, isDryRun });
  expect((await change(true)).deliveries).toBe(2);
  expect((await change(false)).deliveries).toBe(2);
  const only = { state: 'authorised', scopes: ['publications:read'], serverIds: [server] };
  expect((await manage<{ deliveries: number }>('POST', '/installation-changes', only)).deliveries).toBe(1);
});
