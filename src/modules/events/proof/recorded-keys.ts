import { retentionSetting, signingKeyChanged, signingKeySetting } from '../events.ts';
import type { Json } from './canonical.ts';
import type { StoredEvent } from './chain.ts';
import { fault, type LogFault } from './diagnose.ts';
import { keyIdOfPem } from './signed-by.ts';

export interface StoredKey {
  readonly id: string;
  readonly publicKey: string;
  readonly retiredAt: Date | null;
}

const textsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

/**
 * Collects the signing keys that the log after an id mentions, and compares them with the stored ones. Every change of
 * key and every removal of old events lists all keys.
 */
export function createRecordedKeys(anchorId: number) {
  /** The first event that mentions each key. */
  const since = new Map<string, number>();
  let latest: { readonly keyId: Json | undefined; readonly keyIds: readonly string[] } | undefined;

  const note = ({ id, type, data }: StoredEvent): void => {
    const isOfKeys = data?.id === signingKeySetting || data?.id === retentionSetting;
    if (type !== signingKeyChanged.definition.type || !isOfKeys) return;
    const { keyId } = data;
    if (data.id === signingKeySetting && typeof keyId === 'string' && !since.has(keyId)) {
      since.set(keyId, id);
    }
    if (data.keyIds === undefined) return;
    const keyIds = textsOf(data.keyIds);
    // The first list of a shortened log contains keys whose events were removed.
    const from = latest || anchorId === 0 ? id : anchorId;
    for (const named of keyIds) if (!since.has(named)) since.set(named, from);
    latest = { keyId, keyIds };
  };

  const faultOf = (stored: readonly StoredKey[]): LogFault | undefined => {
    const wrong = (message: string) => fault('key', 0, message);
    for (const { id, publicKey } of stored) {
      if (keyIdOfPem(publicKey) !== id) return wrong(`The signing key ${id} was replaced`);
    }
    if (!latest) return undefined;
    const { keyId, keyIds } = latest;
    const extra = stored.find(({ id }) => !keyIds.includes(id));
    if (extra) {
      return wrong(`The signing key ${extra.id} is stored, but no event records it`);
    }
    const gone = keyIds.find((id) => !stored.some((key) => key.id === id));
    if (gone !== undefined) return wrong(`The signing key ${gone} was removed`);
    const current = stored.find(({ retiredAt }) => retiredAt === null);
    return current?.id === keyId
      ? undefined
      : wrong(`The current signing key is ${current?.id}, but no event records the change to it`);
  };

  const doubts = (stored: readonly StoredKey[]): string[] =>
    latest || stored.length === 0
      ? []
      : ['No event records the signing keys: start the server once to record them'];

  return { note, faultOf, doubts, since };
}
