import type { Endpoint, Input } from '../contract/endpoint.ts';
import type { Fault } from '../errors.ts';

/** What a check parsed from a request, and the faults it found. */
interface Reading {
  readonly faults: readonly Fault[];
}

/** The result of a check: faults, or parsed values with faults. */
type Finding = readonly Fault[] | Reading;

/** An endpoint on the server, with a check for what a schema cannot express, such as impossible dates. */
export interface ServedEndpoint extends Endpoint {
  // biome-ignore lint/suspicious/noExplicitAny: endpoints have different types; `checked` verifies them
  readonly check?: (input: any) => Finding;
}

type Contracts = Readonly<Record<string, Endpoint>>;

/** Checks of endpoints, by their names in the contract. */
export type Checks<Contract extends Contracts> = {
  readonly [Name in keyof Contract]?: (input: Input<Contract[Name]>) => Finding;
};

/** The endpoints of a contract with their checks. */
export type Checked<Contract extends Contracts, Given extends Checks<Contract>> = {
  readonly [Name in keyof Contract]: Name extends keyof Given
    ? Contract[Name] & { readonly check: NonNullable<Given[Name]> }
    : Contract[Name];
};

/** Adds checks to endpoints. Validation calls a check with the parts that passed the schemas. */
export const checked = <Contract extends Contracts, const Given extends Checks<Contract>>(
  contract: Contract,
  checks: Given,
) =>
  Object.fromEntries(
    Object.entries(contract).map(([name, endpoint]) => {
      const check = checks[name];
      return [name, check ? { ...endpoint, check } : endpoint];
    }),
  ) as Checked<Contract, Given>;

/** The input of a handler: the validated request, and what the check parsed from it. */
export interface Handled<E extends ServedEndpoint> extends Input<E> {
  readonly parsed: E extends { readonly check: (input: never) => infer Found extends Reading }
    ? Omit<Found, 'faults'>
    : undefined;
}
