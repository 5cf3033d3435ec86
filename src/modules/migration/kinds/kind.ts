import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../platform/db/database.ts';
import type { EventTag } from '../../events/index.ts';
import type { Documents, Installation, Kind } from '../document.ts';
import type { defineImport } from '../events.ts';
import type { RunContext } from '../run/context.ts';

/** Something that is created if there is no `before`, and changed otherwise. */
export interface Item<K extends Kind = Kind> {
  readonly kind: K;
  readonly name: string;
  readonly after: Documents[K];
  readonly before?: Documents[K];
}

/** What a kind needs to write its items. */
export interface Run {
  readonly context: RunContext;
  /** The address of the source. */
  readonly source: string;
  /** Does the work in one transaction, which records one event for each item. */
  readonly inOne: (items: readonly Item[], work: (tx: Tx) => Promise<unknown>) => Promise<void>;
  /** Reserves the id of an account. */
  readonly reserveId: () => Promise<number>;
  /** Reports why an item is skipped. Throws the error if it is no refusal. */
  readonly refused: (item: Item, error: unknown) => void;
}

/** Everything that an import has to know about a kind of things. */
export interface KindDefinition<K extends Kind> {
  readonly event: ReturnType<typeof defineImport>;
  /** All things of the kind in an installation. */
  readonly listIn: (installation: Installation) => readonly Documents[K][];
  /** The name by which a thing is found again. */
  readonly nameOf: (thing: Documents[K]) => string;
  /** Whether Burgee keeps what it has. By default, if everything but the creation is equal. */
  readonly isSame?: (own: Documents[K], wanted: Documents[K]) => boolean;
  /** What the event is about. */
  readonly about?: (thing: Documents[K]) => {
    readonly project?: string;
    readonly environment?: string;
    readonly featureName?: string;
    readonly tags?: readonly EventTag[];
  };
  /** The data of the event, without secrets. By default the thing itself. */
  readonly dataOf?: (thing: Documents[K]) => object;
  readonly run: (items: readonly Item<K>[], run: Run) => Promise<void>;
}

/** Attempts every item. One that is refused does not keep the others from being imported. */
export const attemptEach =
  <K extends Kind>(attempt: (item: Item<K>, run: Run) => Promise<unknown>) =>
  async (items: readonly Item<K>[], run: Run): Promise<void> => {
    for (const item of items) {
      try {
        await attempt(item, run);
      } catch (error) {
        run.refused(item, error);
      }
    }
  };

/** Writes every item in a transaction of its own. */
export const oneByOne = <K extends Kind>(
  write: (tx: Tx, item: Item<K>, run: Run) => Promise<unknown>,
) => attemptEach<K>((item, run) => run.inOne([item], (tx) => write(tx, item, run)));

export const byName = ({ name }: { readonly name: string }): string => name;

/** Without what is stored once, when something is created. */
const withoutCreation = ({
  createdAt: _,
  createdBy: __,
  id: ___,
  ...thing
}: {
  readonly createdAt?: unknown;
  readonly createdBy?: unknown;
  readonly id?: unknown;
}) => thing;

export const isSameApartFromCreation = (a: object, b: object): boolean =>
  isDeepStrictEqual(withoutCreation(a), withoutCreation(b));
