import type { Tag } from '../../../../catalogue/tags/index.ts';
import type { ImportDocument } from '../../document-schema.ts';
import type { Current, CurrentFeature } from './current.ts';
import type { Findings } from './findings.ts';

/** The maximum per feature. Each of its events contains all tags. */
export const maxTags = 100;

/** The key of a tag in sets. */
export const keyOf = ({ type, value }: Tag): string => JSON.stringify([type, value]);

/** The tags of the document by feature, each once. */
export function tagsByFeature({
  featureTags = [],
}: Pick<ImportDocument, 'featureTags'>): ReadonlyMap<string, readonly Tag[]> {
  const tags = new Map<string, Map<string, Tag>>();
  for (const { featureName, tagType: type, tagValue: value } of featureTags) {
    const own = tags.get(featureName) ?? new Map<string, Tag>();
    own.set(keyOf({ type, value }), { type, value });
    tags.set(featureName, own);
  }
  return new Map([...tags].map(([feature, own]) => [feature, [...own.values()]]));
}

/** The tags that the feature does not have yet. */
export function planTags(
  name: string,
  before: CurrentFeature | undefined,
  documentTags: readonly Tag[],
  errors: Findings,
): Tag[] {
  const existing = new Set((before?.tags ?? []).map(keyOf));
  const added = documentTags.filter((tag) => !existing.has(keyOf(tag)));
  if (added.length > 0 && existing.size + added.length > maxTags) {
    errors.add(`These features would have more than ${maxTags} tags`, name);
  }
  return added;
}

export function findUnknownTagTypes(
  { tagTypes }: Current,
  { featureTags = [], tagTypes: described = [] }: ImportDocument,
  errors: Findings,
): void {
  const imported = new Set(described.map(({ name }) => name));
  for (const { tagType } of featureTags) {
    if (tagTypes.has(tagType) || imported.has(tagType)) continue;
    errors.add('Missing tag types. Create them first', tagType);
  }
}
