import { readConfig } from '../config.ts';
import { openDatabase } from '../database.ts';
import { createWritePool } from '../platform/db/connect.ts';
import { migrate as bringUpToDate } from '../platform/db/migrate.ts';
import { createLogger } from '../platform/log.ts';
import { command } from './command.ts';

export const migrate = command({
  async run() {
    const config = readConfig(process.env, { logLevel: 'warn' });
    const log = createLogger(config.logLevel);
    const database = await openDatabase(config, log, { exclusive: false });
    const db = createWritePool(database.connection, log, 2);
    try {
      const { ran } = await bringUpToDate(db);
      process.stdout.write(
        ran.length === 0 ? 'The schema is up to date.\n' : `Migrated: ${ran.join(', ')}\n`,
      );
    } finally {
      await db.destroy();
      await database.close();
    }
  },
});
