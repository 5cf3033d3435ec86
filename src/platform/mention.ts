import type { Actor } from './db/database.ts';
import { sees } from './permission.ts';

interface Manner<Thing> {
  readonly scopeOf: (thing: Thing) => string;
  readonly nameOf: (thing: Thing) => string;
  /** What is said of those that the actor may not know of; how many they are is not. */
  readonly unseen: string;
  /** So many by name: what is in use may be in use everywhere. */
  readonly most?: number;
}

/** The things that stand in somebody's way, in words: by name, as far as they may know them. */
export function mentioned<Thing>(
  things: readonly Thing[],
  actor: Actor,
  { scopeOf, nameOf, unseen, most = 10 }: Manner<Thing>,
): string[] {
  const known = things.filter((thing) => sees(actor, scopeOf(thing)));
  const more = known.length - most;
  return [
    ...known.slice(0, most).map(nameOf),
    ...(more > 0 ? [`${more} more`] : []),
    ...(known.length < things.length ? [unseen] : []),
  ];
}
