import { IconKey, IconSettings } from '@tabler/icons-react';
import { basePath } from '../api.ts';
import { systemId } from '../directory.ts';
import classes from './avatar.module.css';

interface Props {
  /** Positive for users, negative for tokens and the system, null if it is not known. */
  readonly id: number | null | undefined;
  readonly size?: number;
}

/** The picture of a user, or an icon for tokens and the system. The name is beside it. */
export function ActorAvatar({ id, size = 18 }: Props) {
  if (id !== null && id !== undefined && id > 0) {
    return (
      <img
        className={classes.avatar}
        src={`${basePath}avatars/${id}.svg`}
        alt=""
        width={size}
        height={size}
        loading="lazy"
      />
    );
  }
  const Icon = id === systemId || id === null || id === undefined ? IconSettings : IconKey;
  return (
    <span className={classes.avatar} style={{ width: size, height: size }} aria-hidden>
      <Icon size={size - 4} />
    </span>
  );
}
