import { defineEvent } from '../../../events/index.ts';
import type { Tag } from '../tag-schema.ts';

export const featureTagged = defineEvent<Tag>({
  type: 'feature-tagged',
  summary: ({ user, feature, data, tag }) => `${user} added tag ${tag(data)} to ${feature}`,
});

export const featureUntagged = defineEvent<Tag>({
  type: 'feature-untagged',
  summary: ({ user, feature, preData, tag }) =>
    `${user} removed tag ${tag(preData)} from ${feature}`,
});
