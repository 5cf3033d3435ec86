import { writeFileSync } from 'node:fs';
import { describeApi } from '../describe-api.ts';

export async function run([file]: readonly string[]): Promise<void> {
  const document = await describeApi();
  if (file === undefined) process.stdout.write(document);
  else writeFileSync(file, document);
}
