import { defineEvent } from '../../../events/index.ts';
import type { Tag } from '../tag-schema.ts';

export const featureTagged = defineEvent<Tag>({
  type: 'feature-tagged',
  summary: ({ user, feature, project, data, bold }) =>
    `${user} tagged the feature ${feature} in the project ${project} with ${bold(data.value)} of the type ${bold(data.type)}`,
});

export const featureUntagged = defineEvent<Tag>({
  type: 'feature-untagged',
  summary: ({ user, feature, project, preData, bold }) =>
    `${user} removed the tag ${bold(preData.value)} of the type ${bold(preData.type)} from the feature ${feature} in the project ${project}`,
});
