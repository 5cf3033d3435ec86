import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../platform/db/database.ts';
import { grouped } from '../../../platform/grouped.ts';
import type { FeatureDocument } from '../document.ts';
import { defineImport } from '../events.ts';
import { listSegmentIds } from '../queries.ts';
import { changeFeature, changeTogether, makeFeatures, setDependencies } from '../run/features.ts';
import { refusalOf } from '../run/refusal.ts';
import { byName, type Item, type KindDefinition, type Run } from './kind.ts';

/** Features in one transaction. */
const portion = 100;

type FeatureItem = Item<'feature'>;
type Change = FeatureItem & { readonly before: FeatureDocument };

/** Features that move to another project and have parents or children, with these. */
function movedTogether(items: readonly FeatureItem[]): Change[] {
  const active = items.filter(
    (item): item is Change => item.before !== undefined && !item.after.archived,
  );
  const moved = new Set(
    active.filter(({ before, after }) => before.project !== after.project).map(({ name }) => name),
  );
  const parents = new Set<string>();
  const children = active.filter(({ name, before }) => {
    const own = before.dependencies.filter(({ feature }) => moved.has(name) || moved.has(feature));
    for (const { feature } of own) parents.add(feature);
    return own.length > 0;
  });
  const names = new Set(children.map(({ name }) => name));
  return active.filter(({ name }) => names.has(name) || (moved.has(name) && parents.has(name)));
}

async function runFeatures(
  items: readonly FeatureItem[],
  { context, inOne, refused }: Run,
): Promise<void> {
  const segmentIds = await listSegmentIds(context.db);
  const attempt = async (some: readonly FeatureItem[], work: (tx: Tx) => Promise<void>) => {
    try {
      await inOne(some, work);
      return true;
    } catch (error) {
      if (refusalOf(error) === undefined) throw error;
      const [only, ...others] = some;
      if (only && others.length === 0) refused(only, error);
      return false;
    }
  };
  const made = grouped(
    items.filter(({ before }) => before === undefined),
    ({ after }) => after.project,
  );
  for (const [project, own] of made) {
    for (let start = 0; start < own.length; start += portion) {
      const some = own.slice(start, start + portion);
      const make = (each: readonly FeatureItem[]) =>
        attempt(each, (tx) =>
          makeFeatures(
            tx,
            project,
            each.map(({ after }) => after),
            segmentIds,
          ),
        );
      if (some.length > 1 && (await make(some))) continue;
      // One of them is refused. The others come without it.
      for (const item of some) await make([item]);
    }
  }
  const change = async (some: readonly FeatureItem[]) => {
    for (const item of some) {
      const { before, after } = item;
      if (before) await attempt([item], (tx) => changeFeature(tx, before, after, segmentIds));
    }
  };
  const related = movedTogether(items);
  const isDone =
    related.length > 1 && (await attempt(related, (tx) => changeTogether(tx, related, segmentIds)));
  const done = new Set(isDone ? related.map(({ name }) => name) : []);
  const left = items.filter(({ name }) => !done.has(name));
  await change(left.filter(({ after }) => !after.archived));
  for (const item of left) {
    const { before, after } = item;
    // A feature that moves loses its parents.
    const had = before?.project === after.project ? before.dependencies : [];
    if (after.archived || isDeepStrictEqual(had, after.dependencies)) continue;
    await inOne([], (tx) => setDependencies(tx, [after])).catch((error) => refused(item, error));
  }
  // A feature with children cannot be archived. Its children have lost it by now.
  await change(left.filter(({ after }) => after.archived));
}

/** The plan compares features itself, because their creation and their stage have rules of their own. */
export const feature: KindDefinition<'feature'> = {
  event: defineImport('feature-import', 'feature'),
  listIn: ({ features }) => features,
  nameOf: byName,
  about: ({ name, project, tags }) => ({ project, featureName: name, tags }),
  run: runFeatures,
};
