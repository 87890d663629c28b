// Measures how many rows the statements of a read examine, by the plans that Postgres runs.
import pg from 'pg';
import type { Tenant } from '../src/access/authority/index.ts';
import { createTenant } from '../src/access/authority/tenant-store.ts';
import { newUuid } from '../src/kit/crypto/ids.ts';
import { type Sql, sql } from '../src/kit/db/sql.ts';

/** A node of an executed plan. Its figures are means over its loops. */
interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/**
 * Returns the largest number of rows that one scan or join of the read's statements examines. Each statement runs with a
 * plan for its values, and with a plan for any values, because Postgres keeps such a plan after some calls. The read
 * receives the rows of its statements and must issue them one after another.
 */
export async function countExaminedRows(tenant: Tenant, read: (tenant: Tenant) => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  async function query<Row>(statement: Sql): Promise<Row[]> {
    counts.push(await explain(tenant, statement), await explainKept(tenant, statement));
    return tenant.query<Row>(statement);
  }
  await read(createTenant(tenant.appId, query));
  if (counts.length === 0) throw new Error('The read issued no statement.');
  return Math.max(...counts);
}

const EXPLAIN = 'explain (analyze, timing off, format json)';

async function explain(tenant: Tenant, statement: Sql): Promise<number> {
  const rows = await tenant.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>({
    ...statement,
    text: `${EXPLAIN} ${statement.text}`,
    name: newUuid(),
  });
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error(`Postgres returned no plan of ${statement.text}.`);
  return mostRowsOf(plan);
}

async function explainKept(tenant: Tenant, { text, values }: Sql): Promise<number> {
  const kept = `kept_${newUuid().replaceAll('-', '')}`;
  const run = (command: string) => tenant.query({ text: command, values: [], name: newUuid() });
  await tenant.query(sql`set local plan_cache_mode = force_generic_plan`);
  await run(`prepare ${kept} as ${text}`);
  const given = values.map((value) => pg.escapeLiteral(String(value))).join(', ');
  const count = await explain(tenant, { text: `execute ${kept} (${given})`, values: [], name: '' });
  await run(`deallocate ${kept}`);
  await tenant.query(sql`set local plan_cache_mode = auto`);
  return count;
}

function mostRowsOf(node: PlanNode): number {
  const examined = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  return Math.max(examined * node['Actual Loops'], ...(node.Plans ?? []).map(mostRowsOf));
}
