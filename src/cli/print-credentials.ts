import type { InstallationReport } from '../app/installation.ts';

const once = 'shown only once';

/** Prints the generated credentials of the first start. They cannot be printed again. */
export function printCredentials(
  { generatedToken, generatedPassword }: InstallationReport,
  { username }: { readonly username: string },
  to: NodeJS.WritableStream,
): void {
  if (generatedPassword) {
    to.write(`Administrator ${username}, password (${once}): ${generatedPassword}\n`);
  }
  if (generatedToken) to.write(`Admin token (${once}): ${generatedToken}\n`);
}
