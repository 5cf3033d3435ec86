import { TagsInput, type TagsInputProps } from '@mantine/core';
import { isTag, readTag, type Tag, tagText } from './tag-text.ts';

interface Props extends Omit<TagsInputProps, 'value' | 'onChange'> {
  readonly tags: readonly Tag[];
  readonly onChange: (tags: Tag[]) => void;
}

/** Tags as `type:value`. What is no tag stays until the user removes it, and the field says why. */
export function TagsField({ tags, onChange, error, ...rest }: Props) {
  const wrong = tags.find((tag) => !isTag(tag));
  return (
    <TagsInput
      {...rest}
      value={tags.map(tagText)}
      error={
        wrong
          ? `“${tagText(wrong)}” isn't a valid tag. Type and value must be 2–50 characters each.`
          : error
      }
      onChange={(texts) => onChange(texts.map(readTag))}
    />
  );
}
