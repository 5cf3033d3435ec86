import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { maxDocumentBytes, parseDocument, planFrom, planText } from '../modules/migration/index.ts';
import { StartError } from '../platform/start-error.ts';
import { command } from './command.ts';
import { alone, importFrom, setExitCode } from './import-unleash.ts';
import { printable } from './printable.ts';
import { withDatabase } from './with-database.ts';

/** Reads a file up to a limit. Its size says nothing if it is a pipe or a device. */
export function readBytes(file: string, most: number): Buffer {
  const tooLarge = () => new StartError(`${file} is larger than ${most} bytes.`);
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    if (fstatSync(descriptor).size > most) throw tooLarge();
    const blocks: Buffer[] = [];
    let length = 0;
    for (;;) {
      const block = Buffer.allocUnsafe(1024 * 1024);
      const read = readSync(descriptor, block);
      if (read === 0) return Buffer.concat(blocks);
      length += read;
      if (length > most) throw tooLarge();
      blocks.push(block.subarray(0, read));
    }
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`Couldn't read ${file} (${(error as NodeJS.ErrnoException).code})`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

export const importDocument = command({
  options: { plan: { type: 'switch', does: 'show what would be imported, without importing' } },
  operand: { name: 'FILE', required: true },
  notes:
    'Exports contain neither secrets nor the event log. To move those too, use burgee backup.\n\n' +
    "Exit code 0: done; 1: an error, such as a file that wasn't created by burgee export (nothing was changed);\n" +
    "2: part of the plan couldn't be imported.",
  async run({ plan }, file = '') {
    const document = parseDocument(readBytes(file, maxDocumentBytes), file);
    await withDatabase(async (context) => {
      if (plan) {
        const planned = await planFrom(context.db, document, document.source.url);
        process.stdout.write(planText(planned, printable));
      } else setExitCode(await alone(context, () => importFrom(context, document, undefined)));
    });
  },
});
