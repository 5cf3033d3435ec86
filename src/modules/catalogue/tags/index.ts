import { defineModule } from '../../../platform/module.ts';
import { tagContract } from './contract.ts';
import { featureTagEndpoints } from './feature-tags/checks.ts';
import { featureTagRoutes } from './feature-tags/routes.ts';
import { tagRoutes } from './routes.ts';
import { tagTypeContract } from './tag-types/contract.ts';
import { tagTypeRoutes } from './tag-types/routes.ts';
import { createFirstTagType } from './tag-types/service.ts';

export type { Tag } from './contract.ts';
export { bulkTagFaults, featureTagEndpoints } from './feature-tags/checks.ts';
export { addTags, addTagsTo, changeTags, changeTagsInBulk } from './feature-tags/service.ts';
export { createTag, releaseTagsOf, tagFaults } from './service.ts';
export type { TagType } from './tag-types/contract.ts';
export { listTagTypes } from './tag-types/queries.ts';
export { changeTagType, createTagType, ensureTagType } from './tag-types/service.ts';

import './tables.ts';

export const tags = defineModule({
  name: 'tags',
  contract: { ...tagTypeContract, ...tagContract, ...featureTagEndpoints },
  routes: (app, services) => {
    tagTypeRoutes(app, services);
    tagRoutes(app, services);
    featureTagRoutes(app, services);
  },
  firstStart: createFirstTagType,
});
