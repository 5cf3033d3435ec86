import { defineEvent } from '../../events/index.ts';
import type { Tag } from './tag-schema.ts';

export const tagCreated = defineEvent<Tag>({
  type: 'tag-created',
  summary: ({ user, data, bold }) =>
    `${user} created the tag ${bold(data.value)} of the type ${bold(data.type)}`,
});

/** The tag is in `data`, where clients of the reference expect it. */
export const tagDeleted = defineEvent<Tag>({
  type: 'tag-deleted',
  summary: ({ user, data, bold }) =>
    `${user} deleted the tag ${bold(data.value)} of the type ${bold(data.type)}`,
});
