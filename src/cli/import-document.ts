import { readFileSync } from 'node:fs';
import type { Installation } from '../modules/migration/index.ts';
import { planFrom, planText } from '../modules/migration/index.ts';
import { StartError } from '../platform/start-error.ts';
import { command } from './command.ts';
import { alone, bringOver } from './import-unleash.ts';
import { withDatabase } from './with-database.ts';

function readDocument(file: string): Installation {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  let document: Partial<Installation>;
  try {
    document = JSON.parse(text);
  } catch {
    throw new StartError(`${file} is no JSON.`);
  }
  if (document.format !== 'burgee-installation-1') {
    throw new StartError(`${file} is no document that burgee export wrote.`);
  }
  return document as Installation;
}

export const importDocument = command({
  options: { plan: { type: 'switch', does: 'only say what would be done' } },
  operand: { name: 'FILE', required: true },
  notes: 'Secrets and the event log are not in the document. burgee backup has both.',
  async run({ plan }, file = '') {
    const document = readDocument(file);
    await withDatabase(async (context) => {
      if (plan) {
        process.stdout.write(planText(await planFrom(context.db, document, document.source.url)));
      } else await alone(context, () => bringOver(context, document, undefined));
    });
  },
});
