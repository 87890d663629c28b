// Records a change of a person's passkeys in the audit log of each organisation of the person. The entry has no name of
// the passkey, which belongs to the person.
import type { UnitOfWork } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { listMemberships } from './store.ts';

export async function auditPasskey(
  { tx, audit }: Pick<UnitOfWork, 'tx' | 'audit'>,
  person: { id: string; email: string },
  action: 'passkey.create' | 'passkey.remove',
  passkeyId: string,
): Promise<void> {
  const actor = { kind: 'person', id: person.id, name: person.email } as const;
  for (const { organisation_id } of await listMemberships(tx, person.id)) {
    audit(action, toId('pky', passkeyId), { person: person.email }, { organisationId: organisation_id, actor });
  }
}
