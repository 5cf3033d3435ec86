import type { Tx } from '../../../platform/db/database.ts';
import { systemActor } from '../../access/gate/index.ts';
import { replaceRecorded } from '../../events/index.ts';
import type { Kind } from '../document.ts';
import { attemptEach, type Item, type Run } from '../kinds/kind.ts';
import { finishProject } from '../kinds/projects.ts';
import { eventOf, kindNames, kinds } from '../kinds/table.ts';
import type { Finding, Plan } from '../plan.ts';
import { reserveAccountId } from '../queries.ts';
import type { RunContext } from './context.ts';
import { refusalOf } from './refusal.ts';

export interface RunReport {
  /** Things that were created or changed. */
  readonly done: number;
  /** What was refused, with the reason. */
  readonly findings: readonly Finding[];
}

const isOf =
  <K extends Kind>(kind: K) =>
  (item: Item): item is Item<K> =>
    item.kind === kind;

const runKind = <K extends Kind>(kind: K, items: readonly Item[], run: Run): Promise<void> =>
  kinds[kind].run(items.filter(isOf(kind)), run);

/**
 * Runs a plan, in transactions of one thing or of a hundred features. Each records one event for each thing. What is in
 * Burgee already is not in the plan, so an interrupted run is continued by planning and running again.
 */
export async function runPlan(context: RunContext, plan: Plan): Promise<RunReport> {
  const { transact, progress } = context;
  const source = plan.source.url;
  const findings: Finding[] = [];
  let done = 0;
  const refused = (item: Item, error: unknown) => {
    const { kind, name } = item;
    const reason = refusalOf(error);
    if (reason === undefined) throw error;
    findings.push({
      code: 'REFUSED',
      severity: 'error',
      what: `Skipped: ${reason}`,
      todo: todoOf(item),
      ...{ kind, names: [name] },
    });
  };
  const inOne = async (items: readonly Item[], work: (tx: Tx) => Promise<unknown>) => {
    await transact(systemActor, async (tx) => {
      await work(tx);
      replaceRecorded(
        tx,
        items.map((item) => eventOf(item, source)),
      );
    });
    done += items.length;
    progress(done, plan.items.length);
  };
  const reserveId = () => transact(systemActor, reserveAccountId);
  const run = { context, source, inOne, reserveId, refused };
  for (const kind of kindNames) {
    await runKind(kind, plan.items, run);
    if (kind === 'feature') await finishProjects(plan.items.filter(isOf('project')), run);
  }
  return { done, findings };
}

/** What the operator can do about a refusal. */
function todoOf(item: Item): string {
  const own = isOf('feature')(item) ? item.before?.project : undefined;
  return isOf('feature')(item) && own !== undefined && own !== item.after.project
    ? `It was moved in the source, but stays in project '${own}' in Burgee. Fix the reason, then run the import again.`
    : 'Fix it in the source, then run the import again.';
}

const finishProjects = attemptEach<'project'>(async (item, { context, source }) => {
  const { kind, name, before, after } = item;
  if (before?.archived && after.archived) return;
  await context.transact(systemActor, async (tx) => {
    await finishProject(tx, item, context.runHook);
    const event = eventOf({ kind, name, after }, source);
    replaceRecorded(tx, [{ ...event, data: { settings: 'complete', ...event.data } }]);
  });
});
