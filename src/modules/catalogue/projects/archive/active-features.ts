import type { Tx } from '../../../../platform/db/database.ts';
import { invalidOperation } from '../../../../platform/errors.ts';
import { summariseFeatures } from '../feature-counts.ts';

/** Reads after the lock, so that it sees features that were being added to the project. */
export async function refuseActiveFeatures(tx: Tx, id: string, fate: string): Promise<void> {
  const { count, first } = await summariseFeatures(tx.db, id);
  if (count === 0) return;
  const names = first.map((name) => `'${name}'`).join(', ');
  const others = count > first.length ? ` and ${count - first.length} more` : '';
  const features = count === 1 ? 'an active feature' : `${count} active features`;
  throw invalidOperation(
    `The project '${id}' cannot be ${fate} while it has ${features}: ${names}${others}`,
  );
}
