import { featureName } from '../../../../src/modules/flags/features/feature-schema.ts';
import { limit } from '../../ui/format.ts';

const { pattern, maxLength } = featureName as typeof featureName & {
  readonly pattern: string;
  readonly maxLength: number;
};
const allowed = new RegExp(pattern);
const strange = /[^A-Za-z0-9\-_.~!*'()]/u;

/** Why no feature can have this name, in any project. It is said before the server is asked. */
export function nameProblem(name: string): string | undefined {
  if (/\s/.test(name)) return 'A name has no blanks; - or _ can stand for them.';
  const [sign] = strange.exec(name) ?? [];
  if (sign !== undefined) {
    return `A name cannot contain “${sign}”. It consists of the letters a to z, digits and - _ . ~ ! * ' ( ).`;
  }
  if (name.length > maxLength) {
    return limit(maxLength, name.length, 'character');
  }
  return name === '' || allowed.test(name)
    ? undefined
    : `No feature can be called “${name}”: addresses use it for something else.`;
}
