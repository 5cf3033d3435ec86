import type { Tag } from '../../src/modules/catalogue/tags/index.ts';
import type { TestApp } from './app.ts';
import { make } from './make.ts';
import { bare } from './recorded-features.ts';

export const simple = (value: string): Tag => ({ type: 'simple', value });

/** The events of new tags, and of features that get or lose a tag. */
export const created = (tag: Tag) => ({
  ...bare('tag-created', '', { data: tag }),
  project: null,
  featureName: null,
});

export const tagged = (feature: string, tag: Tag, tags: Tag[], project = 'default') =>
  bare('feature-tagged', feature, { project, data: tag, tags });

export const untagged = (feature: string, tag: Tag, tags: Tag[], project = 'default') =>
  bare('feature-untagged', feature, { project, preData: tag, tags });

export const tagsOf = (feature: string) => `/api/admin/features/${feature}/tags`;

/** Requests for the tags of features. */
export const featureTagsOn = ({ ask }: Pick<TestApp, 'ask'>) => ({
  feature: (name: string, more: Record<string, unknown> = {}) => make(ask).feature(name, more),

  read: async (feature: string): Promise<Tag[]> =>
    (await ask(`GET ${tagsOf(feature)}`)).json().tags,

  add: (feature: string, payload: object) => ask(`POST ${tagsOf(feature)}`, { payload }),

  change: (feature: string, payload: object) => ask(`PUT ${tagsOf(feature)}`, { payload }),

  remove: (feature: string, { type, value }: Tag) =>
    ask(`DELETE ${tagsOf(feature)}/${encodeURIComponent(type)}/${encodeURIComponent(value)}`),

  bulk: (features: unknown, tags: object, project = 'default') =>
    ask(`PUT /api/admin/projects/${project}/tags`, { payload: { features, tags } }),
});
