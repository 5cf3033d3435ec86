import { changesContract } from './changes/contract.ts';
import { emailContract } from './emails/contract.ts';
import { followContract } from './follow/contract.ts';
import { notificationsContract } from './notifications/contract.ts';

export const followsContract = {
  ...followContract,
  ...changesContract,
  ...notificationsContract,
  ...emailContract,
};
