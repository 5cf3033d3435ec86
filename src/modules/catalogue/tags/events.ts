import { defineEvent } from '../../events/index.ts';
import type { Tag } from './tag-schema.ts';

export const tagCreated = defineEvent<Tag>({
  type: 'tag-created',
  summary: ({ user, data, tag }) => `${user} created tag ${tag(data)}`,
});

/** The tag is in `data`, where clients of the reference expect it. */
export const tagDeleted = defineEvent<Tag>({
  type: 'tag-deleted',
  summary: ({ user, data, tag }) => `${user} deleted tag ${tag(data)}`,
});
