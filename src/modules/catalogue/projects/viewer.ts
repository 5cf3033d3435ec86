import type { Actor } from '../../../platform/actor.ts';

/** The reader of a response: favorites are those of the actor, and URLs begin with `baseUrl`. */
export interface Viewer {
  readonly actor: Actor;
  readonly baseUrl: string;
  readonly now: Date;
}
