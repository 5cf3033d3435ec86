import { readConfig } from '../app/config.ts';
import { openDatabase } from '../app/database.ts';
import { migrate as bringUpToDate } from '../migrations/migrate.ts';
import { createWritePool } from '../platform/db/connect.ts';
import { createLogger } from '../platform/log.ts';
import { command } from './command.ts';
import { interruptible } from './interruptible.ts';
import { withPoolOf } from './with-database.ts';

export const migrate = command({
  async run() {
    const config = readConfig(process.env, { logLevel: 'warn' });
    const log = createLogger(config.logLevel);
    const { ran } = await interruptible(async (signal) => {
      const database = await openDatabase(config, log, { exclusive: false, signal });
      try {
        const db = createWritePool(database.connection, log, 2);
        return await withPoolOf(db, signal, () => bringUpToDate(db));
      } finally {
        await database.close();
      }
    });
    process.stdout.write(
      ran.length === 0 ? 'The schema is up to date.\n' : `Migrated: ${ran.join(', ')}\n`,
    );
  },
});
