// The content of a backup inside its encryption: a manifest, and then the rows of each table as COPY returns them, in
// typed blocks.
import type { SealedFileKind } from '../kit/crypto/sealed-file.ts';
import { createByteReader } from '../kit/text/byte-reader.ts';
import type { DatabaseName } from './backup-databases.ts';

export const BACKUP_FILE: SealedFileKind = {
  magic: Buffer.from('slipway backup 1'),
  otherFile: 'The file is no backup of Slipway.',
};

export interface TableHead {
  name: string;
  columns: string[];
}

export interface DatabaseHead {
  /** The migrations that created its schema. */
  migrations: { version: number; name: string; checksum: string }[];
  partitions: { parent: string; lower: string; upper: string }[];
}

export type BackupSecrets = Partial<
  Record<
    | 'pepper'
    | 'pepperVersion'
    | 'otherPeppers'
    | 'masterKey'
    | 'masterKeyVersion'
    | 'otherMasterKeys'
    | 'managementKey'
    | 'consoleSecret'
    | 'identityKey'
    | 'ingestKey',
    string
  >
>;

export interface Manifest {
  takenAt: string;
  secrets: BackupSecrets;
  databases: Partial<Record<DatabaseName, DatabaseHead>>;
}

export type Block =
  | { kind: 'manifest'; of: Manifest }
  | { kind: 'table'; of: TableHead & { database: DatabaseName } }
  | { kind: 'rows'; bytes: Buffer }
  | { kind: 'tableEnd'; of: { rows: number } }
  | { kind: 'end' };

const KINDS = ['manifest', 'table', 'rows', 'tableEnd', 'end'] as const satisfies Block['kind'][];
const MAX_BLOCK_BYTES = 1024 ** 3;

export function writeBlock(block: Block): Buffer {
  const bytes = 'bytes' in block ? block.bytes : Buffer.from('of' in block ? JSON.stringify(block.of) : '');
  const head = Buffer.alloc(5);
  head.writeUInt8(KINDS.indexOf(block.kind));
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/**
 * Reads blocks up to `end`, and throws if that is missing. The encryption already proves that the content is unchanged.
 */
export async function* readBlocks(source: AsyncIterable<Buffer>): AsyncGenerator<Block> {
  const reader = createByteReader(source);
  for (;;) {
    const head = await reader.read(5);
    const kind = KINDS[head?.readUInt8() ?? -1];
    const length = head?.readUInt32BE(1) ?? 0;
    if (!kind || length > MAX_BLOCK_BYTES) throw new Error('The block does not have the form of a backup.');
    const bytes = length === 0 ? Buffer.alloc(0) : await reader.read(length);
    if (!bytes) throw new Error('The backup ends within a block.');
    if (kind === 'rows') yield { kind, bytes };
    else if (kind === 'end') {
      yield { kind };
      return;
    } else yield { kind, of: JSON.parse(bytes.toString()) };
  }
}
