// Runs statements as a database role in a transaction that is rolled back, for tests of privileges.
import type pg from 'pg';

export type DatabaseRole =
  | 'slipway_api'
  | 'slipway_authority'
  | 'slipway_manager'
  | 'slipway_worker'
  | 'slipway_recorder';

export interface RoleContext {
  role: DatabaseRole;
  appId?: string;
  organisationId?: string;
}

export type RoleResult = { rows: Record<string, unknown>[]; refused?: never } | { rows?: never; refused: string };

/** Returns the rows that the role gets, or the SQLSTATE of its refusal. */
export async function runAsRole(
  superuser: pg.Client,
  stage: RoleContext,
  text: string,
  values: unknown[] = [],
): Promise<RoleResult> {
  await superuser.query('begin');
  try {
    await superuser.query(`set local role ${stage.role}`);
    await superuser.query(
      "select set_config('slipway.app_id', $1, true), set_config('slipway.organisation_id', $2, true)",
      [stage.appId ?? '', stage.organisationId ?? ''],
    );
    return { rows: (await superuser.query(text, values)).rows };
  } catch (error) {
    if (error instanceof Error && 'code' in error) return { refused: String(error.code) };
    throw error;
  } finally {
    await superuser.query('rollback');
  }
}

/** SQLSTATEs by their meaning. */
export const SQLSTATES = { privilege: '42501', check: '23514' } as const;
