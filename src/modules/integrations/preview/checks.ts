import { checked } from '../../../platform/http/checked.ts';
import { previewFaults } from '../configuration/checks.ts';
import { previewContract } from './contract.ts';

export const previewEndpoints = checked(previewContract, { previewIntegration: previewFaults });
