// The identifiers in management paths. Authority checks them before an operation runs.
import { idSchema, strictObject } from '../../kit/http/schema.ts';

export const OrganisationId = idSchema('org', "The organisation's identifier.");
export const AppId = idSchema('app', "The app's identifier.");
export const KeyId = idSchema('key', "The key's identifier.");
export const ReceiptId = idSchema('rct', 'The identifier of the receipt of a revocation.');
export const organisationParams = strictObject({ organisationId: OrganisationId });
export const appParams = strictObject({ organisationId: OrganisationId, appId: AppId });
