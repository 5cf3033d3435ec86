import { defineModule } from '../../../platform/module.ts';
import { featureTagUseCase } from './feature-tags/routes.ts';
import { tagUseCase } from './routes.ts';
import { tagTypeUseCase } from './tag-types/routes.ts';
import { createFirstTagType } from './tag-types/service.ts';

export { bulkTagFaults } from './feature-tags/checks.ts';
export { featureTagUseCase } from './feature-tags/routes.ts';
export { addTags, addTagsTo, changeTags, changeTagsInBulk } from './feature-tags/service.ts';
export { createTag, releaseTagsOf, tagFaults } from './service.ts';
export type { Tag } from './tag-schema.ts';
export type { TagType } from './tag-types/contract.ts';
export { listTagTypes, lockTagType } from './tag-types/queries.ts';
export {
  changeTagType,
  createTagType,
  ensureTagType,
  removeTagType,
} from './tag-types/service.ts';

import './tables.ts';

export const tags = defineModule({
  name: 'tags',
  useCases: [tagTypeUseCase, tagUseCase, featureTagUseCase],
  firstStart: createFirstTagType,
});
