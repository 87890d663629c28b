// The SQL of events.
import { sql } from '../../kit/sql.ts';
import type { Tenant } from '../authority/index.ts';

export interface NewEvent {
  eventId: string;
  type: string;
  schemaVersion: number;
  serverId: string;
  subjectType: string;
  subjectId: string;
  sequence: number;
  body: string;
}

export async function insertEvent(tenant: Tenant, event: NewEvent): Promise<void> {
  await tenant.query(sql`
    insert into events (app_id, event_id, type, schema_version, server_id, subject_type, subject_id, sequence, body)
    values (${tenant.appId}, ${event.eventId}, ${event.type}, ${event.schemaVersion}, ${event.serverId},
      ${event.subjectType}, ${event.subjectId}, ${event.sequence}, ${event.body})`);
}
