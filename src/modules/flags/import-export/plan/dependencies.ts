import { isDeepStrictEqual } from 'node:util';
import type { Dependency } from '../../features/index.ts';
import { type ImportDocument, maxParents } from '../contract/document.ts';
import type { Current } from './current.ts';
import type { Findings } from './findings.ts';

interface Finding {
  readonly errors: Findings;
  readonly warnings: Findings;
}

/**
 * What the features of a document come to depend on, by child. A parent has to live in the project,
 * or come with the document; dependencies are one level deep.
 */
export function planDependencies(
  current: Current,
  { features, dependencies = [] }: ImportDocument,
  { errors, warnings }: Finding,
): ReadonlyMap<string, Dependency[]> {
  const isArchived = (name: string) => current.features.get(name)?.archived === true;
  const coming = new Set(features.map(({ name }) => name).filter((name) => !isArchived(name)));
  const isThere = (name: string) => {
    const feature = current.features.get(name);
    return coming.has(name) || (feature?.project === current.project.id && !feature.archived);
  };
  const planned = new Map<string, Dependency[]>();
  for (const { feature: child, dependencies: parents } of dependencies) {
    for (const { feature: parent, enabled, variants } of parents) {
      if (!coming.has(child) || !isThere(parent)) {
        warnings.add(
          `These dependencies are left out: child and parent have to be in the document, or the parent in '${current.project.id}'`,
          `${child} on ${parent}`,
        );
        continue;
      }
      const wish = {
        feature: parent,
        enabled: enabled ?? true,
        variants: [...new Set(variants ?? [])],
      };
      const before = current.features.get(child)?.parents.find((each) => each.feature === parent);
      if (isDeepStrictEqual(before, wish)) continue;
      planned.set(child, [...(planned.get(child) ?? []), wish]);
    }
  }
  findChains(current, planned, errors);
  findCrowds(current, planned, errors);
  return planned;
}

/** Children that would have too many parents, with those that they have. */
function findCrowds(
  current: Current,
  planned: ReadonlyMap<string, readonly Dependency[]>,
  errors: Findings,
): void {
  for (const [child, dependencies] of planned) {
    const known = new Set(current.features.get(child)?.parents.map(({ feature }) => feature));
    const added = dependencies.filter(({ feature }) => !known.has(feature));
    if (added.length > 0 && known.size + added.length > maxParents) {
      errors.add(`These features would depend on more than ${maxParents} others`, child);
    }
  }
}

/** A parent that depends on something itself, now or then. */
function findChains(
  current: Current,
  planned: ReadonlyMap<string, readonly Dependency[]>,
  errors: Findings,
): void {
  const message = 'Dependencies are one level deep: a parent cannot depend on another feature';
  const parentsToBe = new Set([...planned.values()].flat().map(({ feature }) => feature));
  for (const [child, dependencies] of planned) {
    const isParent = parentsToBe.has(child) || current.features.get(child)?.hasChildren;
    for (const { feature: parent } of dependencies) {
      const isChild = (current.features.get(parent)?.parents.length ?? 0) > 0;
      if (isParent || isChild || planned.has(parent)) errors.add(message, `${child} on ${parent}`);
    }
  }
}
