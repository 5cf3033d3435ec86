import type { InstallationReport } from '../installation.ts';

const once = 'shown this once, keep it';

/** Tells the operator what the first start made up; it is stored nowhere. */
export function sayGenerated(
  { generatedToken, generatedPassword }: InstallationReport,
  { username }: { readonly username: string },
): void {
  if (generatedPassword) {
    process.stdout.write(`Administrator ${username}, password (${once}): ${generatedPassword}\n`);
  }
  if (generatedToken) process.stdout.write(`Admin token (${once}): ${generatedToken}\n`);
}
