// Triggers with the most likely mistakes. A check of restrictions that does not detect them proves nothing.

type Query = (text: string, values?: unknown[]) => Promise<{ definition: string }[]>;

interface WrongTrigger {
  function: string;
  /** The text in its definition that is replaced. */
  replace: string;
  by: string;
}

export const WRONG_TRIGGERS: Readonly<Record<string, WrongTrigger>> = {
  'lets a statement lift the restriction': {
    function: 'keep_statement_cap',
    replace: 'new.is_over_cap := not (',
    by: 'delete from installation_restrictions where app_id = new.app_id and server_id = new.server_id; new.is_over_cap := not (',
  },
  'makes grants without the restriction of a server': {
    function: 'apply_limits',
    replace: 'strictest(new.state, stated.state, restricted, ',
    by: 'strictest(new.state, stated.state, ',
  },
  'makes grants without the restriction of a scope': {
    function: 'apply_scope_limits',
    replace: 'strictest(new.state, restricted,',
    by: 'strictest(new.state,',
  },
  'forgets the cap': {
    function: 'apply_limits',
    replace: "case when stated.is_over_cap then 'paused' end",
    by: 'null',
  },
  'grants more than the upstream API states': {
    function: 'apply_limits',
    replace: 'strictest(new.state, stated.state, ',
    by: 'strictest(new.state, ',
  },
  'applies no new restriction of a server': {
    function: 'apply_restrictions',
    replace: "where r.scope = '*' and",
    by: "where false and r.scope = '*' and",
  },
};

/** Replaces the trigger's function until the returned function is called. */
export async function breakTrigger(query: Query, name: string): Promise<() => Promise<unknown>> {
  const wrong = WRONG_TRIGGERS[name];
  if (!wrong) throw new Error(`There is no wrong trigger that ${name}.`);
  const [found] = await query('select pg_get_functiondef($1::regproc) as definition', [wrong.function]);
  const definition = found?.definition ?? '';
  if (!definition.includes(wrong.replace)) throw new Error(`${wrong.function} has no "${wrong.replace}".`);
  await query(definition.replace(wrong.replace, wrong.by));
  return () => query(definition);
}
