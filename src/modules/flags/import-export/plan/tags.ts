import type { Tag } from '../../../catalogue/tags/index.ts';
import type { ImportDocument } from '../contract/document.ts';
import type { Current, CurrentFeature } from './current.ts';
import type { Findings } from './findings.ts';

/** Each event of a feature keeps all tags of it. */
export const maxTags = 100;

/** One text per tag, for sets of them. */
export const keyOf = ({ type, value }: Tag): string => JSON.stringify([type, value]);

/** The tags that a document gives, each once, by feature. */
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

/** Those that a feature does not have yet. */
export function planTags(
  name: string,
  before: CurrentFeature | undefined,
  wishes: readonly Tag[],
  errors: Findings,
): Tag[] {
  const known = new Set((before?.tags ?? []).map(keyOf));
  const added = wishes.filter((tag) => !known.has(keyOf(tag)));
  if (added.length > 0 && known.size + added.length > maxTags) {
    errors.add(`These features would have more than ${maxTags} tags`, name);
  }
  return added;
}

export function findUnknownTagTypes(
  { tagTypes }: Current,
  { featureTags = [], tagTypes: described = [] }: ImportDocument,
  errors: Findings,
): void {
  const coming = new Set(described.map(({ name }) => name));
  for (const { tagType } of featureTags) {
    if (tagTypes.has(tagType) || coming.has(tagType)) continue;
    errors.add('There are no such tag types, and the document does not describe them', tagType);
  }
}
