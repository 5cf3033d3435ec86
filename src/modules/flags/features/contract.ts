import { archiveContract } from './archive/contract.ts';
import { contract as bulkContract } from './bulk/contract.ts';
import { changeContract } from './change/contract.ts';
import { changeSetContract } from './change-set/contract.ts';
import { contract as cloneContract } from './clone/contract.ts';
import { contract as createContract } from './create/contract.ts';
import { dependencyContract } from './dependencies/contract.ts';
import { contract as environmentContract } from './environments/contract.ts';
import { favoriteContract } from './favorites/contract.ts';
import { featureTypeContract } from './feature-types/contract.ts';
import { lifecycleContract } from './lifecycle/contract.ts';
import { linkContract } from './links/contract.ts';
import { contract as moveContract } from './move/contract.ts';
import { readContract } from './read/contract.ts';
import { searchContract } from './search/contract.ts';
import { contract as addStrategyContract } from './strategies/add/contract.ts';
import { contract as changeStrategyContract } from './strategies/change/contract.ts';
import { contract as orderStrategyContract } from './strategies/order/contract.ts';
import { contract as readStrategyContract } from './strategies/read/contract.ts';
import { contract as removeStrategyContract } from './strategies/remove/contract.ts';
import { variantContract } from './variants/contract.ts';

export const featureContract = {
  ...readContract,
  ...changeContract,
  ...archiveContract,
  ...changeSetContract,
  ...searchContract,
  ...featureTypeContract,
  ...variantContract,
  ...dependencyContract,
  ...linkContract,
  ...lifecycleContract,
  ...favoriteContract,
  ...readStrategyContract,
  ...addStrategyContract,
  ...orderStrategyContract,
  ...changeStrategyContract,
  ...removeStrategyContract,
  ...environmentContract,
  ...createContract,
  ...cloneContract,
  ...moveContract,
  ...bulkContract,
};
