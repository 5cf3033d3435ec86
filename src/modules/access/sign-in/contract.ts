import { inviteLinkContract } from './invite-links/contract.ts';
import { logInContract } from './log-in/contract.ts';
import { loginsContract } from './logins/contract.ts';
import { ownPasswordContract } from './own-password/contract.ts';
import { resetContract } from './reset/contract.ts';
import { sessionContract } from './sessions/contract.ts';

export const signInContract = {
  ...logInContract,
  ...loginsContract,
  ...ownPasswordContract,
  ...sessionContract,
  ...resetContract,
  ...inviteLinkContract,
};
