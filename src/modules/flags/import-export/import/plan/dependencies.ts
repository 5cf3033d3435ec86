import { isDeepStrictEqual } from 'node:util';
import type { Dependency } from '../../../features/index.ts';
import { type ImportDocument, maxParents } from '../../document-schema.ts';
import type { Current } from './current.ts';
import type { Findings } from './findings.ts';

interface Collected {
  readonly errors: Findings;
  readonly warnings: Findings;
}

/** The new dependencies by child. A parent must be in the project or in the document. */
export function planDependencies(
  current: Current,
  { features, dependencies = [] }: ImportDocument,
  { errors, warnings }: Collected,
): ReadonlyMap<string, Dependency[]> {
  const isArchived = (name: string) => current.features.get(name)?.archived === true;
  const imported = new Set(features.map(({ name }) => name).filter((name) => !isArchived(name)));
  const exists = (name: string) => {
    const feature = current.features.get(name);
    return imported.has(name) || (feature?.project === current.project.id && !feature.archived);
  };
  const planned = new Map<string, Dependency[]>();
  for (const { feature: child, dependencies: parents } of dependencies) {
    for (const { feature: parent, enabled, variants } of parents) {
      if (!imported.has(child) || !exists(parent)) {
        warnings.add(
          `Dependencies skipped: child and parent must be in the file, or the parent in '${current.project.id}'`,
          `${child} on ${parent}`,
        );
        continue;
      }
      const dependency = {
        feature: parent,
        enabled: enabled ?? true,
        variants: [...new Set(variants ?? [])],
      };
      const before = current.features.get(child)?.parents.find((each) => each.feature === parent);
      if (isDeepStrictEqual(before, dependency)) continue;
      planned.set(child, [...(planned.get(child) ?? []), dependency]);
    }
  }
  findChains(current, planned, errors);
  findTooManyParents(current, planned, errors);
  return planned;
}

function findTooManyParents(
  current: Current,
  planned: ReadonlyMap<string, readonly Dependency[]>,
  errors: Findings,
): void {
  for (const [child, dependencies] of planned) {
    const existing = new Set(current.features.get(child)?.parents.map(({ feature }) => feature));
    const added = dependencies.filter(({ feature }) => !existing.has(feature));
    if (added.length > 0 && existing.size + added.length > maxParents) {
      errors.add(`More than ${maxParents} dependencies`, child);
    }
  }
}

/** A parent must not depend on a feature, neither now nor after the import. */
function findChains(
  current: Current,
  planned: ReadonlyMap<string, readonly Dependency[]>,
  errors: Findings,
): void {
  const message = "A parent can't have a parent of its own";
  const plannedParents = new Set([...planned.values()].flat().map(({ feature }) => feature));
  for (const [child, dependencies] of planned) {
    const isParent = plannedParents.has(child) || current.features.get(child)?.hasChildren;
    for (const { feature: parent } of dependencies) {
      const isChild = (current.features.get(parent)?.parents.length ?? 0) > 0;
      if (isParent || isChild || planned.has(parent)) errors.add(message, `${child} on ${parent}`);
    }
  }
}
