import { describeApi } from '../app/describe-api.ts';
import { command } from './command.ts';
import { writeText } from './write-file.ts';

export const openapi = command({
  operand: { name: 'FILE' },
  async run(_values, file) {
    const document = await describeApi();
    if (file === undefined) process.stdout.write(document);
    else writeText(file, document);
  },
});
