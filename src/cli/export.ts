import { systemActor } from '../modules/access/gate/index.ts';
import { readExport } from '../modules/flags/import-export/index.ts';
import { readOwn } from '../modules/migration/index.ts';
import { counted } from '../platform/counted.ts';
import { version } from '../platform/version.ts';
import { command } from './command.ts';
import { withDatabaseToRead } from './with-database.ts';
import { writeText } from './write-file.ts';

export const exportInstallation = command({
  options: {
    environment: {
      type: 'text',
      value: 'NAME',
      does: 'export the features of one environment in Unleash format',
    },
    project: { type: 'text', value: 'ID', does: 'with --environment: only this project' },
  },
  operand: { name: 'FILE' },
  notes: 'Without FILE, prints to standard output. Exports contain no secrets and no events.',
  async run({ environment, project }, file) {
    const document = await withDatabaseToRead(({ snapshot, config }) =>
      snapshot<{ readonly features: readonly object[] }>((db) =>
        environment === undefined
          ? readOwn(db, {
              url: config.baseUrl,
              version,
              edition: 'Burgee',
              readAt: new Date().toISOString(),
            })
          : readExport(db, systemActor, { environment, ...(project !== undefined && { project }) }),
      ),
    );
    const text = `${JSON.stringify(document, null, 2)}\n`;
    if (file === undefined) {
      process.stdout.write(text);
      return;
    }
    writeText(file, text);
    process.stdout.write(`Wrote ${counted(document.features.length, 'feature')} to ${file}.\n`);
  },
});
