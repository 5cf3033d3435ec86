import type { Fault } from '../../../../platform/errors.ts';
import type { Checks } from '../../../../platform/http/checked.ts';
import type { Tag } from '../contract.ts';
import { isTag } from '../tag-list.ts';
import type { featureTagContract, TagsChange } from './contract.ts';

/** Each change of a feature's tag is an event that contains all tags of the feature. */
const maxChanges = 5000;

const changes = ({ addedTags = [], removedTags = [] }: TagsChange): readonly Tag[] => [
  ...addedTags,
  ...removedTags,
];

/** Faults of tags that are both added and removed. */
const contradictions = ({ addedTags = [], removedTags = [] }: TagsChange, at: string): Fault[] =>
  removedTags.flatMap((removed, index) => {
    const path = `${at}/removedTags/${index}`;
    return addedTags.some(isTag(removed))
      ? [{ path, message: `${path} is also one of the added tags` }]
      : [];
  });

/** Faults of one change of the tags of several features. `at` is the path of the tags. */
export function bulkTagFaults(count: number, tags: TagsChange, at: string): Fault[] {
  const faults = contradictions(tags, at);
  const all = count * changes(tags).length;
  if (all <= maxChanges) return faults;
  const message = `/body contains ${all} changes (tags by features); at most ${maxChanges} are allowed in one request`;
  return [...faults, { path: '/body', message }];
}

export const checks = {
  changeFeatureTags: ({ body }) => contradictions(body, '/body'),
  changeTagsInBulk: ({ body: { features, tags } }) =>
    tags ? bulkTagFaults(features?.length ?? 0, tags, '/body/tags') : [],
} satisfies Checks<typeof featureTagContract>;
