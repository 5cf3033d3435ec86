import type { InstallationReport } from '../installation.ts';

const once = 'shown only once';

/** Tells the operator what the first start made up; it is stored nowhere. */
export function sayGenerated(
  { generatedToken, generatedPassword }: InstallationReport,
  { username }: { readonly username: string },
  to: NodeJS.WritableStream,
): void {
  if (generatedPassword) {
    to.write(`Administrator ${username}, password (${once}): ${generatedPassword}\n`);
  }
  if (generatedToken) to.write(`Admin token (${once}): ${generatedToken}\n`);
}
