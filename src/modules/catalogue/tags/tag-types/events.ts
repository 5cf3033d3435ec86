import { defineEvent } from '../../../events/index.ts';

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
