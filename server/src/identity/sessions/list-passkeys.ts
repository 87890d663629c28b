import { ok, operation } from '../../kit/http/operation.ts';
import { namedSchema, strictObject, Type } from '../../kit/http/schema.ts';
import { allowPerson } from './console-access.ts';
import { examplePasskey, MAX_PASSKEYS, Passkey, toPasskey } from './passkey.ts';
import { listPasskeyRows } from './passkey-store.ts';

export const listPasskeys = operation({
  id: 'listPasskeys',
  route: 'GET /api/passkeys',
  tag: 'Sessions',
  summary: 'List your passkeys',
  description: 'Lists the passkeys of the signed-in person, oldest first.',
  access: allowPerson(),
  replies: ok(
    'The passkeys of the person.',
    namedSchema(
      'PasskeyList',
      strictObject({ data: Type.Array(Passkey, { maxItems: MAX_PASSKEYS, description: 'The passkeys.' }) }),
    ),
    { one: { data: [examplePasskey] } },
  ),
  async run({ services, person }) {
    const rows = await listPasskeyRows(services.db, person.id);
    return { status: 200, body: { data: rows.map(toPasskey) } };
  },
});
