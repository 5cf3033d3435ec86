import { Avatar } from '@mantine/core';
import { Tooltip } from './tooltip.tsx';

/** The avatar from this installation: the content security policy allows no other host. */
const pictureOf = (imageUrl: string): string => new URL(imageUrl, document.baseURI).pathname;

interface Props {
  readonly name: string;
  readonly imageUrl?: string | undefined;
  readonly size?: number;
}

/** A user or a group as an avatar, with the name on hover. */
export const Person = ({ name, imageUrl, size = 26 }: Props) => (
  <Tooltip label={name}>
    <Avatar
      size={size}
      radius="xl"
      alt={name}
      name={name}
      color="gray"
      variant="filled"
      src={imageUrl === undefined ? null : pictureOf(imageUrl)}
    />
  </Tooltip>
);
