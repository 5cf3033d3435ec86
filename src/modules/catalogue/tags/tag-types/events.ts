import { defineEvent } from '../../../events/index.ts';

/** A tag type as events store it. */
export interface TagTypeEventData {
  name: string;
  description: string;
  icon: string | null;
  color: string | null;
}

export const tagTypeCreated = defineEvent<TagTypeEventData>({
  type: 'tag-type-created',
  summary: ({ user, data, bold }) => `${user} created tag type ${bold(data.name)}`,
});

export const tagTypeUpdated = defineEvent<TagTypeEventData>({
  type: 'tag-type-updated',
  summary: ({ user, data, bold }) => `${user} updated tag type ${bold(data.name)}`,
});

export const tagTypeDeleted = defineEvent<TagTypeEventData>({
  type: 'tag-type-deleted',
  summary: ({ user, preData, bold }) => `${user} deleted tag type ${bold(preData.name)}`,
});
