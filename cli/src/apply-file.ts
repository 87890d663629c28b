// Applies a file to an app: reads the state, plans the changes, and makes them one after another.
import { SlipwayProblem } from '@slipway/sdk';
import type { ReadAppFile } from './app-file.ts';
import { type ApplyContext, type Change, type ChangeResult, type PlanOptions, planChanges } from './app-plan.ts';
import { type AppState, findAppId, readAppState } from './app-state.ts';
import { UsageError } from './errors.ts';
import type { Session } from './session.ts';

interface ApplyPlan {
  context: ApplyContext;
  /** Undefined if the app does not exist yet. */
  state: AppState | undefined;
  changes: readonly Change[];
}

/** Plans the changes of a file. The app is named by --app or by the file, or is the selected app. */
export async function planFile(
  session: Session,
  file: ReadAppFile,
  appName: string | undefined,
  options: PlanOptions,
): Promise<ApplyPlan> {
  const { lookup } = session;
  const organisationId = (await session.organisation()).id;
  const name = appName ?? file.content.app;
  const appId = name === undefined ? (await session.app()).id : await findAppId(lookup, organisationId, name);
  if (appId === undefined && name?.startsWith('app_')) throw new UsageError(`there is no app ${name}.`);
  const state = appId === undefined ? undefined : await readAppState(lookup, { organisationId, appId });
  const named: ReadAppFile = name === undefined ? file : { ...file, content: { ...file.content, app: name } };
  return {
    context: { api: lookup, organisationId, appId: appId ?? '', keyIds: new Map() },
    state,
    changes: planChanges(named, state, options),
  };
}

/** A change as `apply` and `diff` print it. */
export interface ChangeRow extends ChangeResult {
  action: Change['action'];
  kind: Change['kind'];
  name: string;
  changes: readonly string[];
}

export const rowOf = ({ action, kind, name, changes }: Change): ChangeRow => ({ action, kind, name, changes });

/** Makes the changes. Reports each one when it is made, so that a later failure does not lose a secret. */
export async function applyPlan(
  { context, changes }: ApplyPlan,
  file: ReadAppFile,
  onChange: (row: ChangeRow) => void,
): Promise<void> {
  for (const change of changes) {
    try {
      const result = await change.run(context);
      onChange({ ...rowOf(change), ...result });
    } catch (error) {
      throw refusalAt(file, change, error);
    }
  }
}

/** Returns the refusal of a field with its line in the file. Any other error is returned as it is. */
function refusalAt(file: ReadAppFile, { path }: Change, error: unknown): unknown {
  const [part] = error instanceof SlipwayProblem ? error.errors : [];
  if (part === undefined || path.length === 0) return error;
  const field = part.pointer
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  return file.errorAt([...path, ...field], `${part.detail}.`.replace(/\.\.$/, '.'));
}
