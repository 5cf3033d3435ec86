import type { Response } from '../../api.ts';
import { capitalized, joinAnd, plural } from '../../ui/format.ts';

export type Uses = Response<'GET /api/admin/segments/:id/uses'>;

export const noUsage = 'No usage found in projects you can access.';

export const cannotBeUndone = "This can't be undone.";

/** What to know before a name or an ID is chosen. */
export const immutableHint = (purpose: string): string => `${purpose}. Can't be changed later.`;

type Count = readonly [count: number, one: string, many?: string];

/** "3 features and 1 segment"; what there is none of is left out. */
export const countsText = (...counts: readonly Count[]): string =>
  joinAnd(
    counts.filter(([count]) => count > 0).map(([count, one, many]) => plural(count, one, many)),
  );

export const usesText = ({ featureCount, projects, segments }: Uses): string =>
  countsText(
    [featureCount, 'feature'],
    [segments.length, 'segment'],
    [projects.length, 'project'],
  ) || 'no features in projects you can access';

export const isUnused = ({ featureCount, projects, segments }: Uses): boolean =>
  featureCount + projects.length + segments.length === 0;

export const usedByFeatures = (count: number): string =>
  count === 0 ? 'Not used by any feature' : `Used by ${plural(count, 'feature')}`;

/** Of a context field, which stickiness and segments can use, too. */
export const usedInConstraints = (count: number): string =>
  count === 0 ? 'Not used in constraints' : `Used in constraints of ${plural(count, 'feature')}`;

/** What a change of a segment does to users. Projects that the reader can't see may use it, too. */
export function impactText(
  { featureCount, enabledFeatureCount }: Uses,
  isProposed = false,
): string {
  if (enabledFeatureCount > 0) {
    const when = isProposed ? 'when the change request is applied' : 'as soon as you save';
    return `${plural(enabledFeatureCount, 'feature')} enabled. Targeting changes ${when}.`;
  }
  return featureCount > 0 ? 'None are enabled in projects you can access.' : '';
}

type Deletability = 'checking' | 'unknown' | 'in use' | 'unused';

/** Whether something can be deleted, as far as it is known yet. */
export function deletability(
  blockers: Uses | undefined,
  error: Error | null | undefined,
): Deletability {
  if (blockers) return isUnused(blockers) ? 'unused' : 'in use';
  return error ? 'unknown' : 'checking';
}

/** The title of a dialog that deletes something. */
export const deletionTitle = (name: string, state: Deletability): string =>
  ({
    checking: `Delete ${name}?`,
    unused: `Delete ${name}?`,
    'in use': `Can't delete ${name}`,
    unknown: "Couldn't check usage",
  })[state];

export const deletedText = (kind: string, name: string): string =>
  `${capitalized(kind)} ${name} deleted`;
