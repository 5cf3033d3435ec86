import fc from 'fast-check';
import { setPasswordCost } from '../../src/modules/access/users/passwords/hash.ts';
import { proofSeed } from './random-cases.ts';

setPasswordCost({ memoryCost: 8, timeCost: 1, parallelism: 1 });
fc.configureGlobal({ seed: Number(proofSeed ?? 20_261_116) });
