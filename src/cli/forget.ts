import { forgetEverywhere } from '../app/installation.ts';
import { findAccount, systemActor } from '../modules/access/gate/index.ts';
import { countEventsNaming } from '../modules/events/index.ts';
import { maxInteger } from '../platform/contract/schema.ts';
import type { Db } from '../platform/db/database.ts';
import { StartError } from '../platform/start-error.ts';
import { command } from './command.ts';
import { withDatabase, withDatabaseToRead } from './with-database.ts';

/** Counts the events and features that name a person. Zero usually means a mistyped id. */
async function getNamed(db: Db, creatorId: number) {
  const named = await countEventsNaming(db, creatorId);
  if (named.events + named.features > 0) return named;
  if (Math.abs(creatorId) <= maxInteger && (await findAccount(db, creatorId))) return named;
  throw new StartError(
    `There is no person with the id ${creatorId}: no account has it and no event names it. Nothing was changed.`,
  );
}

export const forget = command({
  options: {
    'creator-id': {
      type: 'integer',
      from: -999_999_999_999_999,
      to: 999_999_999_999_999,
      required: true,
      does: "the createdByUserId of the person's events",
    },
    yes: { type: 'switch', does: 'confirm; without it, nothing is changed' },
  },
  async run({ 'creator-id': creatorId, yes }) {
    if (!yes) {
      const named = await withDatabaseToRead(({ db }) => getNamed(db, creatorId));
      process.stdout.write(
        `${named.events} events name the person with the id ${creatorId}, and ${named.features} features list them as a collaborator. Nothing was changed. Add --yes to erase the person and their account; this cannot be undone.\n`,
      );
      return;
    }
    const erased = await withDatabase(async ({ db, transact }) => {
      await getNamed(db, creatorId);
      return forgetEverywhere(transact, systemActor, creatorId);
    });
    process.stdout.write(`Erased from ${erased} events. The log still verifies: burgee verify\n`);
  },
});
