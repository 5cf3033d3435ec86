import { type Static, Type } from 'typebox';
import { named } from '../../../platform/contract/schema.ts';

/** Two to fifty code points in every request (2.2). */
const part = (description: string) => Type.String({ minLength: 2, maxLength: 50, description });

export const TagSchema = named(
  'tagSchema',
  Type.Object({
    type: part('Name of a tag type'),
    value: part('Value of the tag'),
  }),
);
export type Tag = Static<typeof TagSchema>;

export const TagsSchema = named(
  'tagsSchema',
  Type.Object({
    version: Type.Integer(),
    tags: Type.Array(TagSchema),
  }),
);
