import { seal, tryUnseal } from '../../../platform/secret-box.ts';
import type { Parameters } from '../providers/provider.ts';

type Keys = readonly Buffer[];

/** Binds the secrets to their integration: they cannot be opened as those of another one. */
const purposeOf = (id: number) => `integration ${id}`;

/** Null if there are no secrets. That needs no key. */
export const sealSecrets = (keys: Keys, id: number, secrets: Parameters): Buffer | null =>
  Object.keys(secrets).length === 0 ? null : seal(keys, JSON.stringify(secrets), purposeOf(id));

/** Undefined: they were sealed with a key that is no longer configured. */
export function openSecrets(
  keys: Keys,
  { id, secrets }: { readonly id: number; readonly secrets: Buffer | null },
): Parameters | undefined {
  if (!secrets) return {};
  const text = tryUnseal(keys, secrets, purposeOf(id));
  return text === undefined ? undefined : (JSON.parse(text) as Parameters);
}

export const isUnderFirstKey = (
  keys: Keys,
  sealed: { readonly id: number; readonly secrets: Buffer | null },
): boolean => openSecrets(keys.slice(0, 1), sealed) !== undefined;
