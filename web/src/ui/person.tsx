import { Avatar } from '@mantine/core';
import { Tooltip } from './tooltip.tsx';

/** The picture of somebody, from this installation: the policy of the page allows no other host. */
const pictureOf = (imageUrl: string): string => new URL(imageUrl, document.baseURI).pathname;

interface Props {
  readonly name: string;
  readonly imageUrl?: string | undefined;
  readonly size?: number;
}

/** Somebody, or a group, as a picture with the name on hover. */
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
