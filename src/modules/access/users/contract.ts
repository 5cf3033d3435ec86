import { avatarContract } from './avatar/contract.ts';
import { inactiveContract } from './inactive/contract.ts';
import { ownProfileContract } from './own-profile/contract.ts';
import { passwordContract } from './passwords/contract.ts';
import { permissionContract } from './permissions/contract.ts';
import { preferenceContract } from './preferences/contract.ts';
import { sourceContract } from './sources/contract.ts';
import { userAdminContract } from './user-admin/contract.ts';

export const userContract = {
  ...userAdminContract,
  ...inactiveContract,
  ...permissionContract,
  ...sourceContract,
  ...passwordContract,
  ...ownProfileContract,
  ...preferenceContract,
  ...avatarContract,
};
