import type { Endpoint, Input } from '../contract/endpoint.ts';
import type { Fault } from '../errors.ts';

/** What a check read in a request, beside what is wrong with it. */
interface Reading {
  readonly faults: readonly Fault[];
}

/** What a check says of a request: its faults, or what it read and the faults it found on the way. */
type Finding = readonly Fault[] | Reading;

/** An endpoint as the server has it: with what a schema cannot say, such as impossible dates. */
export interface ServedEndpoint extends Endpoint {
  // biome-ignore lint/suspicious/noExplicitAny: the endpoint's own types meet here; `checked` knows them
  readonly check?: (input: any) => Finding;
}

type Checks<Contract extends Readonly<Record<string, Endpoint>>> = {
  readonly [Name in keyof Contract]?: (input: Input<Contract[Name]>) => Finding;
};

/** The same endpoints with their checks. Validation calls a check with what passed the schemas. */
export const checked = <
  Contract extends Readonly<Record<string, Endpoint>>,
  const Given extends Checks<Contract>,
>(
  contract: Contract,
  checks: Given & { readonly [Name in Exclude<keyof Given, keyof Contract>]: never },
) =>
  Object.fromEntries(
    Object.entries(contract).map(([name, endpoint]) => {
      const check = checks[name as keyof typeof checks];
      return [name, check ? { ...endpoint, check } : endpoint];
    }),
  ) as {
    readonly [Name in keyof Contract]: Name extends keyof Given
      ? Contract[Name] & { readonly check: NonNullable<Given[Name]> }
      : Contract[Name];
  };

/** What the handler of an endpoint gets: what was validated, and what the check read in it. */
export interface Handled<E extends ServedEndpoint> extends Input<E> {
  readonly parsed: E extends { readonly check: (input: never) => infer Found extends Reading }
    ? Omit<Found, 'faults'>
    : undefined;
}
