import type { Actor } from './actor.ts';
import { sees } from './permission.ts';

interface Options<Thing> {
  readonly scopeOf: (thing: Thing) => string;
  readonly nameOf: (thing: Thing) => string;
  /** The phrase for resources that the actor may not see. It never says how many there are. */
  readonly unseen: string;
  /** How many names to list, because a resource may be used everywhere. */
  readonly most?: number;
}

/** Lists the names of resources that block an operation. All that the actor may not see become one phrase. */
export function blockerNames<Thing>(
  things: readonly Thing[],
  actor: Actor,
  { scopeOf, nameOf, unseen, most = 10 }: Options<Thing>,
): string[] {
  const visible = things.filter((thing) => sees(actor, scopeOf(thing)));
  const more = visible.length - most;
  return [
    ...visible.slice(0, most).map(nameOf),
    ...(more > 0 ? [`${more} more`] : []),
    ...(visible.length < things.length ? [unseen] : []),
  ];
}
