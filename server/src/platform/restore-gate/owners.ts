// The file in which an operator names the owners of each organisation after a restore. A backup cannot say which
// members have ceased to be owners since.
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import type { Database } from '../../kit/db/db.ts';
import { listMembersAmong, listOwners, type OrganisationOwner } from './reopen-store.ts';
import { eachOrganisation } from './revoke-access.ts';

/** An unusable file of owners; the message is a sentence for the operator. */
export class OwnersFileError extends Error {}

const HEADER = `# The owners of each organisation in the backup. Delete the line of an owner who is no owner any more: that member is suspended.
# A line with the address of another member of the organisation makes that member an owner.
`;

/** Writes the owners of the restored database; rejects if the file exists. */
export async function writeOwners(db: Database, file: string): Promise<void> {
  let text = HEADER;
  for await (const organisationId of eachOrganisation(db)) {
    for (const { organisation, email } of await listOwners(db, organisationId)) {
      text += `${toId('org', organisationId)} ${email} ${JSON.stringify(organisation)}\n`;
    }
  }
  await writeFile(file, text, { flag: 'wx', mode: 0o600 }).catch(async (error: NodeJS.ErrnoException) => {
    // A partial list could be mistaken for the complete list.
    if (error.code !== 'EEXIST') await rm(file, { force: true });
    throw new OwnersFileError(`${file} cannot be written: ${String(error)}`);
  });
}

/** Reads the file; rejects a line that names no member. */
export async function readOwners(db: Database, file: string): Promise<OrganisationOwner[]> {
  const owners: OrganisationOwner[] = [];
  if (!(await stat(file)).isFile()) throw new OwnersFileError(`${file} is not a file.`);
  for (const [at, line] of (await readFile(file, 'utf8')).split('\n').entries()) {
    const [id = '', email] = line.trim().split(/\s+/);
    if (id === '' || id.startsWith('#')) continue;
    const organisationId = fromId('org', id);
    if (organisationId === undefined || email === undefined)
      throw new OwnersFileError(`Line ${at + 1} of ${file} must be: org_... ADDRESS.`);
    owners.push({ organisationId, email: email.toLowerCase() });
  }
  const members = new Set((await listMembersAmong(db, owners)).map(nameOf));
  const nonMember = owners.find((owner) => !members.has(nameOf(owner)));
  if (nonMember)
    throw new OwnersFileError(
      `${file} names ${nonMember.email}, but that person is no member of ${toId('org', nonMember.organisationId)} in the backup.`,
    );
  return owners;
}

const nameOf = ({ organisationId, email }: OrganisationOwner): string => `${organisationId} ${email}`;
