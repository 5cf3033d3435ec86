import { actorName } from '../directory.ts';
import { useDirectory } from '../use-directory.ts';
import { ActorAvatar } from './avatar.tsx';

interface Props {
  /** As recorded: often an email address. */
  readonly name: string;
  /** Undefined where only the name was recorded. */
  readonly id?: number | null | undefined;
}

/** Who did something, with avatar and current name; tokens and deleted users as they were recorded. */
export function Actor({ name, id }: Props) {
  const directory = useDirectory();
  const user = id === undefined ? directory.userBySignIn(name) : undefined;
  const actor = user ?? actorName({ createdBy: name, createdByUserId: id ?? null }, directory);
  const known = user?.id ?? id;
  return (
    <span title={actor.note || undefined}>
      {known !== undefined && (
        <>
          <ActorAvatar id={known} size={16} />
          {'\u00a0'}
        </>
      )}
      {actor.name}
    </span>
  );
}
