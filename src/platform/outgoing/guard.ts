import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { TargetPolicy } from '../module.ts';
import { createSingleFlight } from '../single-flight.ts';
import { type AddressClass, classify, covers, readRange } from './addresses.ts';
import { OutgoingError, thisMachine } from './outgoing.ts';

/** Has the signature of `dns.lookup` with `all`. */
export type Resolve = (
  host: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface Guard {
  /** Throws if the host is an IP address that is not allowed. Such a host is never looked up. */
  readonly checkHost: (host: string) => void;
  /** The `lookup` for `connect`. It returns only allowed addresses, so that nothing resolves the name again. */
  readonly lookup: LookupFunction;
}

/** `onlyLoopback` returns whether only a request with `loopback` could reach addresses of this kind. */
export const createGuard = (
  policy: TargetPolicy,
  resolveHost: Resolve = (host, options, callback) => systemLookup(host, options, callback),
  onlyLoopback: (kind: AddressClass['kind']) => boolean = () => false,
): Guard => {
  const { privateTargets } = policy;
  const ranges = typeof privateTargets === 'boolean' ? [] : privateTargets.map(readRange);

  const permits = (address: string) => {
    const { kind } = classify(address);
    if (kind === 'public') return true;
    if (kind === 'never') return false;
    if (kind === 'loopback' && policy.loopback) return true;
    return privateTargets === true || covers(ranges, address);
  };

  const refusal = (address: string, host?: string) => {
    const { kind } = classify(address);
    const askable = onlyLoopback(kind);
    return new OutgoingError(
      'refused',
      `${placeOf(address, host)}; ${askable ? remedies.askable : remedies[kind === 'never' ? 'never' : 'setting']}.`,
      askable ? thisMachine : undefined,
    );
  };

  const selectPermitted = (host: string, addresses: readonly LookupAddress[]) => {
    const permitted = addresses.filter(({ address }) => permits(address));
    if (permitted.length > 0) return permitted;
    // Of several addresses, the message names one that a setting could allow.
    const named =
      addresses.find(({ address }) => classify(address).kind !== 'never') ?? addresses[0];
    if (named === undefined) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
    const found = addresses.find(({ address }) => onlyLoopback(classify(address).kind)) ?? named;
    throw refusal(found.address, host);
  };

  // A hanging resolver occupies one of few threads, so concurrent look-ups of a name share one query.
  const lookUps = createSingleFlight<string, LookupAddress[]>();
  const find = (host: string) =>
    lookUps.join(host, async () => {
      const addresses = await new Promise<LookupAddress[]>((resolve, reject) => {
        resolveHost(host, { all: true }, (error, found) =>
          error ? reject(error) : resolve(found),
        );
      });
      return selectPermitted(host, addresses);
    });

  return {
    checkHost: (host) => {
      if (isIP(host) !== 0 && !permits(host)) throw refusal(host);
    },
    lookup: (host, options, callback) => {
      find(host).then(
        (addresses) => {
          const [first] = addresses;
          if (options.all || first === undefined) callback(null, addresses);
          else callback(null, first.address, first.family);
        },
        (error) => callback(error, []),
      );
    },
  };
};

const remedies = {
  never: 'these addresses are always blocked',
  setting: 'add it to ALLOW_PRIVATE_TARGETS to allow it',
  askable: 'add it to ALLOW_PRIVATE_TARGETS, or have an admin save the integration',
};

const placeOf = (address: string, host: string | undefined) => {
  const { words, leadsTo } = classify(address);
  const where = host === undefined ? address : `${host} resolves to ${address},`;
  const what =
    leadsTo === undefined
      ? `${host === undefined ? 'is ' : ''}${words}`
      : `${host === undefined ? '' : 'which '}leads to ${leadsTo}, ${words}`;
  return `${where} ${what}`;
};
