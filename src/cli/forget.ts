import { parseArgs } from 'node:util';
import { forgetEverywhere } from '../installation.ts';
import { systemActor } from '../modules/access/index.ts';
import { countNaming } from '../modules/events/index.ts';
import { StartError } from '../platform/start-error.ts';
import { withDatabase, withDatabaseToRead } from './with-database.ts';

const usage = `burgee forget --creator-id N [--yes]

N is the createdByUserId of the person's events. Without --yes nothing is changed.`;

/** Ids of tokens are negative, and an argument that begins with a minus looks like an option. */
const joined = (args: readonly string[]): string[] => {
  const at = args.indexOf('--creator-id');
  return at < 0 ? [...args] : args.toSpliced(at, 2, `--creator-id=${args[at + 1] ?? ''}`);
};

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: joined(args),
    options: { 'creator-id': { type: 'string' }, yes: { type: 'boolean', default: false } },
  });
  const text = values['creator-id'] ?? '';
  if (!/^-?\d{1,15}$/.test(text)) throw new StartError(usage);
  const creatorId = Number(text);

  if (!values.yes) {
    const named = await withDatabaseToRead(({ db }) => countNaming(db, creatorId));
    process.stdout.write(
      `${named.events} events name the person with the id ${creatorId}, and ${named.features} features name them as a collaborator. Nothing was changed; add --yes to erase the person, with the account if there is one, which cannot be undone.\n`,
    );
    return;
  }
  const erased = await withDatabase(({ transact }) =>
    forgetEverywhere(transact, systemActor, creatorId),
  );
  process.stdout.write(`Erased from ${erased} events. The log still verifies: burgee verify\n`);
}
