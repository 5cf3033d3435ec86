import { defineEvent } from '../../events/index.ts';
import type { Tag } from './contract/tag.ts';

/** What the log tells of a tag type. */
export interface TagTypeFacts {
  name: string;
  description: string;
  icon: string | null;
  color: string | null;
}

export const tagTypeCreated = defineEvent<TagTypeFacts>({
  type: 'tag-type-created',
  label: 'Tag type created',
  summary: ({ user, data, bold }) => `${user} created the tag type ${bold(data.name)}`,
});

export const tagTypeUpdated = defineEvent<TagTypeFacts>({
  type: 'tag-type-updated',
  label: 'Tag type updated',
  summary: ({ user, data, bold }) => `${user} changed the tag type ${bold(data.name)}`,
});

export const tagTypeDeleted = defineEvent<TagTypeFacts>({
  type: 'tag-type-deleted',
  label: 'Tag type deleted',
  summary: ({ user, preData, bold }) => `${user} deleted the tag type ${bold(preData.name)}`,
});

export const tagCreated = defineEvent<Tag>({
  type: 'tag-created',
  label: 'Tag created',
  summary: ({ user, data, bold }) =>
    `${user} created the tag ${bold(data.value)} of the type ${bold(data.type)}`,
});

/** The tag stands in `data`, where clients of the reference product look for it. */
export const tagDeleted = defineEvent<Tag>({
  type: 'tag-deleted',
  label: 'Tag deleted',
  summary: ({ user, data, bold }) =>
    `${user} deleted the tag ${bold(data.value)} of the type ${bold(data.type)}`,
});

export const featureTagged = defineEvent<Tag>({
  type: 'feature-tagged',
  label: 'Feature tagged',
  summary: ({ user, feature, project, data, bold }) =>
    `${user} tagged the feature ${feature} in the project ${project} with ${bold(data.value)} of the type ${bold(data.type)}`,
});

export const featureUntagged = defineEvent<Tag>({
  type: 'feature-untagged',
  label: 'Tag removed from feature',
  summary: ({ user, feature, project, preData, bold }) =>
    `${user} took the tag ${bold(preData.value)} of the type ${bold(preData.type)} off the feature ${feature} in the project ${project}`,
});
