import { forgetEverywhere } from '../app/installation.ts';
import { findAccount, systemActor } from '../modules/access/gate/index.ts';
import { countEventsNaming } from '../modules/events/index.ts';
import { maxInteger } from '../platform/contract/schema.ts';
import { counted } from '../platform/counted.ts';
import type { Db } from '../platform/db/database.ts';
import { StartError } from '../platform/start-error.ts';
import { command } from './command.ts';
import { withDatabase, withDatabaseToRead } from './with-database.ts';

/** Counts the events and features that name a person. Zero usually means a mistyped id. */
async function getNamed(db: Db, creatorId: number) {
  const named = await countEventsNaming(db, creatorId);
  if (named.events + named.features > 0) return named;
  if (Math.abs(creatorId) <= maxInteger && (await findAccount(db, creatorId))) return named;
  throw new StartError(`No user with ID ${creatorId} in accounts or events. Nothing was changed.`);
}

export const forget = command({
  options: {
    'creator-id': {
      type: 'integer',
      from: -999_999_999_999_999,
      to: 999_999_999_999_999,
      required: true,
      does: "the user's ID: createdByUserId of their events",
    },
    yes: { type: 'switch', does: 'confirm; without it, this is a dry run' },
  },
  async run({ 'creator-id': creatorId, yes }) {
    if (!yes) {
      const named = await withDatabaseToRead(({ db }) => getNamed(db, creatorId));
      process.stdout.write(
        [
          `Dry run: nothing was changed. User ${creatorId} appears in`,
          `  ${counted(named.events, 'event')}`,
          `  ${counted(named.features, 'feature')} as a collaborator`,
          '',
          "To delete the account and erase the user, which can't be undone, run:",
          `  burgee forget --creator-id ${creatorId} --yes`,
          '',
        ].join('\n'),
      );
      return;
    }
    const erased = await withDatabase(async ({ db, transact }) => {
      await getNamed(db, creatorId);
      return forgetEverywhere(transact, systemActor, creatorId);
    });
    process.stdout.write(
      `Erased from ${counted(erased, 'event')}. Run 'burgee verify' to check the log.\n`,
    );
  },
});
