import { actorName } from '../directory.ts';
import { useDirectory } from '../use-directory.ts';
import { ActorAvatar } from './avatar.tsx';

interface Props {
  /** As recorded: often an email address. */
  readonly name: string;
  /** Undefined where only the name was recorded. */
  readonly id?: number | null | undefined;
}

/** Names up to here stay beside their avatar. Longer ones wrap, because they may not fit on a phone. */
const longName = 28;

/** Who did something, with avatar and current name; tokens and deleted users as they were recorded. */
export function Actor({ name, id }: Props) {
  const directory = useDirectory();
  const user = id === undefined ? directory.userBySignIn(name) : undefined;
  const actor = user ?? actorName({ createdBy: name, createdByUserId: id ?? null }, directory);
  const known = user?.id ?? id;
  return (
    <span
      title={actor.note || undefined}
      style={{ whiteSpace: actor.name.length > longName ? undefined : 'nowrap' }}
    >
      {known !== undefined && (
        <>
          <ActorAvatar id={known} size={16} />{' '}
        </>
      )}
      {actor.name}
    </span>
  );
}
