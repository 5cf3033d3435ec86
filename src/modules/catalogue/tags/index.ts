import { defineModule } from '../../../platform/module.ts';
import { featureTagEndpoints } from './checks.ts';
import { tagContract } from './contract/tag.ts';
import { tagTypeContract } from './contract/tag-type.ts';
import { tagRoutes } from './routes.ts';
import { createFirstTagType } from './service/tag-type.ts';

export type { Tag } from './contract/tag.ts';
export type { TagType } from './contract/tag-type.ts';
export { listTagTypes } from './queries/tag-type.ts';
export { addTags, addTagsTo } from './service/feature-tags.ts';
export { releaseTagsOf, tagFaults } from './service/tag.ts';
export { ensureTagType } from './service/tag-type.ts';

import './tables.ts';

export const tags = defineModule({
  name: 'tags',
  contract: { ...tagTypeContract, ...tagContract, ...featureTagEndpoints },
  routes: tagRoutes,
  firstStart: createFirstTagType,
});
