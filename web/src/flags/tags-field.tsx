import { TagsInput, type TagsInputProps } from '@mantine/core';
import { useState } from 'react';
import { type Tag, tagFromText, tagText } from './tag-text.ts';

interface Props extends Omit<TagsInputProps, 'value' | 'onChange'> {
  readonly tags: readonly Tag[];
  readonly onChange: (tags: Tag[]) => void;
}

/** Tags as `type:value`. What is no tag is not added, and the field says why. */
export function TagsField({ tags, onChange, error, ...rest }: Props) {
  const [refused, setRefused] = useState<string>();
  return (
    <TagsInput
      {...rest}
      value={tags.map(tagText)}
      error={
        refused === undefined
          ? error
          : `“${refused}” isn't a valid tag. Type and value must be 2–50 characters each.`
      }
      onChange={(texts) => {
        setRefused(texts.find((text) => tagFromText(text) === undefined));
        onChange(texts.flatMap((text) => tagFromText(text) ?? []));
      }}
    />
  );
}
