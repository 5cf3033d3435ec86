import type { Tx } from '../../../platform/db/database.ts';

export async function forgetDeliveries(_tx: Tx, _userId: number): Promise<void> {}
