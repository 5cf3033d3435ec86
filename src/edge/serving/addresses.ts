import type { FastifyRequest } from 'fastify';
import { withoutPort } from '../../platform/caller-address.ts';
import { AppError } from '../../platform/errors.ts';
import { getNetwork, isIn, readAddress } from '../../platform/network.ts';

interface Lists {
  readonly allowList: readonly string[];
  readonly denyList: readonly string[];
}

/** Whether an address may use the edge: it is in the allow list, if there is one, and not in the deny list. */
export function createAddressCheck({ allowList, denyList }: Lists): (ip: string) => boolean {
  const [allowed, denied] = [allowList.map(getNetwork), denyList.map(getNetwork)];
  return (ip) => {
    const address = readAddress(withoutPort(ip).replace(/^::ffff:(?=\d+\.)/i, ''));
    // A proxy that sends no address would otherwise get around both lists.
    if (!address) return allowed.length === 0 && denied.length === 0;
    const isInAny = (networks: typeof allowed) => networks.some((each) => isIn(address, each));
    return !isInAny(denied) && (allowed.length === 0 || isInAny(allowed));
  };
}

/** Orchestrators send these from addresses that no operator knows. They show nothing. */
const open = ['/health', '/ready', '/internal-backstage/health', '/internal-backstage/ready'];

/** Throws for other addresses, unless it is a health check. Undefined without lists. */
export function createRefuseAddress(
  lists: Lists,
): ((request: Pick<FastifyRequest, 'ip' | 'routeOptions'>) => void) | undefined {
  if (lists.allowList.length === 0 && lists.denyList.length === 0) return undefined;
  const mayUse = createAddressCheck(lists);
  return ({ ip, routeOptions }) => {
    if (open.includes(routeOptions.url ?? '') || mayUse(ip)) return;
    throw new AppError(403, 'NoAccessError', 'This address may not use the edge');
  };
}
