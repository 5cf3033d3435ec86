import { featureName } from '../../../../src/modules/flags/features/feature-schema.ts';
import { limit } from '../../ui/format.ts';

const { pattern, maxLength } = featureName as typeof featureName & {
  readonly pattern: string;
  readonly maxLength: number;
};
const allowed = new RegExp(pattern);
const strange = /[^A-Za-z0-9\-_.~!*'()]/u;

/** Why no feature can have this name, in any project. The server isn't asked about it. */
export function nameProblem(name: string): string | undefined {
  if (/\s/.test(name)) return "Names can't contain spaces. Use - or _ instead.";
  const [sign] = strange.exec(name) ?? [];
  if (sign !== undefined) {
    return `Names can't contain “${sign}”. Use letters, digits, and - _ . ~ ! * ' ( )`;
  }
  if (name.length > maxLength) {
    return limit(maxLength, name.length, 'character');
  }
  return name === '' || allowed.test(name)
    ? undefined
    : `“${name}” is reserved. Choose another name.`;
}
